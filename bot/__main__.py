"""`python -m bot` is `boardsight`."""

from bot.start import main

if __name__ == "__main__":
    main()
