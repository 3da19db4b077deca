"""What a league is: bots, seasons, boards, pairing, standings, ratings and their store.

Owns everything that can be said about results; must not know gRPC, HTTP or RQ.
"""
