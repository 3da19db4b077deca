"""`python -m king_cli` is `king`."""

from king_cli.main import main

main()
