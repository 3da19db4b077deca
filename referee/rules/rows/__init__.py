"""The rows of every variant: data only, one module for each family of games."""
