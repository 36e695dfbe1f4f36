"""A chatbot of a hotel with known faults."""
