"""Prints what is missing from the word folders of the given languages: `python -m mutatis.testing de fr`."""

import sys

from mutatis.core.errors import UsageError
from mutatis.testing.languages import print_gaps

try:
    print_gaps(sys.argv[1:])
except UsageError as error:
    sys.exit(f"mutatis: {error}")
