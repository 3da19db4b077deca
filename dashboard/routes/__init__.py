"""Routes: each parses an address, makes one call into the league, and renders."""
