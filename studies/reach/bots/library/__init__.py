"""A chatbot of a town library with known faults."""
