"""A finished run for people and build servers: terminal, one HTML file, JUnit, CSV, labelling sheets."""
