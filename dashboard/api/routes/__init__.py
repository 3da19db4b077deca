"""The operations of the API, by subject: each parses, makes its calls into the league, and answers with a model."""
