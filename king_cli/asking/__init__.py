"""Puts a bot before one position of a record: `king ask`.

`positions` finds the position and says what its seat was told; `desk` asks a bot. Must not judge the answer.
"""
