"""`king bridge`: the bot protocol as JSON lines on a command's standard streams, for languages without gRPC.

It is started once for each bot process, so its modules import little and late. They know the protocol alone: neither
the rules nor any other part of the platform.
"""
