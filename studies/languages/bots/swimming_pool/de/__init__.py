"""The German twin."""
