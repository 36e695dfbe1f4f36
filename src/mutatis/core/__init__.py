"""The theory of metamorphic testing as plain data, with no I/O, no clock and no dependency except numpy.

Every other package imports this one. It imports none of them.
"""
