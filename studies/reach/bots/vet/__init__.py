"""The chatbot of a veterinary practice."""
