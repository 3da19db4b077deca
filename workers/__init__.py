"""RQ jobs that play sittings, the launcher of bots, and the supervisor."""
