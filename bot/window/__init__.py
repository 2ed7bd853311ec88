"""Real windows, in tkinter: it comes with Python, and nothing else has to be installed."""
