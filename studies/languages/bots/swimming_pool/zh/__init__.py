"""The Chinese twin."""
