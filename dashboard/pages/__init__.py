"""Row builders: pure functions from what the store and the rules say to what the templates print."""
