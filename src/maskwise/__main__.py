"""`python -m maskwise`: the command line."""

from maskwise.cli import main

if __name__ == "__main__":
    main()
