"""The chatbot of a campsite by a lake, with known faults."""
