"""`python -m mutatis`: the command line, where its script is not on the path."""

from mutatis.cli import main

if __name__ == "__main__":
    main()
