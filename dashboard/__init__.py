"""The web pages and the REST API over the store."""
