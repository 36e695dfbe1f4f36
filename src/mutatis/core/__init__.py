"""The theory of metamorphic testing as plain data, without I/O, clock or dependencies except numpy.

Every other package imports this one. It does not import any other.
"""
