"""Mutatis finds where a language model, a chatbot or a text classifier contradicts itself, without labels."""
