"""What the API answers with, as typed models: each is made of what the league has, and leaves out what is private."""
