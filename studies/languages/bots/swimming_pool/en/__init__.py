"""The English twin."""
