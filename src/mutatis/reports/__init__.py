"""Reports of a finished run for people and build servers: terminal, HTML, JUnit, CSV and labelling sheets."""
