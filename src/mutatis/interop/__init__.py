"""Mutatis inside other tools: each module is one tool's door, and imports that tool.

A door hands the inputs and relations of a configuration to its tool, and gives the same findings as `mutatis run`.
"""
