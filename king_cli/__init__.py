"""The command line: thin modules that call the other packages."""
