"""The theory of metamorphic testing as plain data: no I/O, no clock, no third party but numpy.

Every other room imports this one; it imports no other room.
"""
