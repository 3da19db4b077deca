"""A person at a table in the terminal.

Owns what a person reads and types, and the process-like thing that plays a seat by it. Must not decide what is legal:
the person picks among the actions of the request, as a bot does.
"""
