"""Reports of a finished run for people and build servers.

They include the terminal, one HTML file, JUnit, CSV and labelling sheets.
"""
