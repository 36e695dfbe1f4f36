"""Writes reports of a finished run for people and build servers: terminal, HTML, JUnit, CSV and sheets."""
