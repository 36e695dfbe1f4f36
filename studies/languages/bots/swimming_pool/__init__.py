"""The swimming pool Lindenbad: twins in several languages."""
