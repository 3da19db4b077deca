"""Random faults in a real league: kills, stops, cuts and slows its parts, and checks that nothing came of it."""
