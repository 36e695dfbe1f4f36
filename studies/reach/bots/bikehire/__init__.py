"""The chatbot of a bicycle hire shop."""
