"""What a league is: bots, seasons, boards, pairing, ratings and their store."""
