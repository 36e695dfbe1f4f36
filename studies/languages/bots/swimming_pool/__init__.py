"""The swimming pool Lindenbad: an English and a German twin."""
