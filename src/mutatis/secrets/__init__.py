"""Finds the secrets in a configuration and keeps them out of everything that is displayed."""
