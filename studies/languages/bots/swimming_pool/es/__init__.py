"""The Spanish twin."""
