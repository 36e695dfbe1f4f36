"""The theory of metamorphic testing as plain data: no I/O, no clock, no third-party package but numpy.

Every other package imports this one; it imports none of them.
"""
