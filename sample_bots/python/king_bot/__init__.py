"""The Python SDK for King Arena bots."""
