"""`python -m mutatis`: runs the command line when the `mutatis` script is not on the path."""

from mutatis.cli import main

if __name__ == "__main__":
    main()
