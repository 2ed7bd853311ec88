"""`python -m boardsight`: the command line."""

from __future__ import annotations

from bot.start import main

if __name__ == "__main__":
    main()
