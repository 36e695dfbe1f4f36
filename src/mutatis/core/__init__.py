"""The theory of metamorphic testing as plain data: no I/O, no clock, no third party but numpy.

Everything here is imported by every other room and imports none of them.
"""
