"""The chatbot of a copy and print shop, with known faults."""
