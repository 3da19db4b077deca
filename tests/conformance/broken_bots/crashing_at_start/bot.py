"""A broken bot: it ends with an error before it has dialled the referee."""

if __name__ == "__main__":
    raise FileNotFoundError("weights.bin is not there")
