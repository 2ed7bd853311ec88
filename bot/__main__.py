"""`python -m bot` is `boardsight`."""

from bot.cli import main

if __name__ == "__main__":
    main()
