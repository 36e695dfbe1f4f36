"""Builds a campaign from names and objects, runs it and writes its report. Every run goes through here."""
