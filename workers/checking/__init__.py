"""Checks a bot as a league will meet it: a real process at a real referee; the other seats are the check's own.

`checks.BotCheck` is the way in. Must not know the command line: it returns findings, the commands show them.
"""
