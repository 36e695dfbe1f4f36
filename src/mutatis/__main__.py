"""Runs the command line as `python -m mutatis`, for use when the `mutatis` script is not on the path."""

from mutatis.cli import main

if __name__ == "__main__":
    main()
