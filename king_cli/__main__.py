"""`python -m king_cli` is `king`."""

from king_cli.entry import main

main()
