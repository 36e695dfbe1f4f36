"""Text utilities shared by several packages, such as normalisation, numbers, abstention and sentences."""
