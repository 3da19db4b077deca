"""The rules engine and the referee service."""
