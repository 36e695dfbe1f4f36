"""The French twin."""
