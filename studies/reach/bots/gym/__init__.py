"""The chatbot of a fitness studio."""
