"""Text utilities shared by several packages: normalisation, numbers, abstention, polarity, sentences, the embedder.

Independent of measures, relations and systems.
"""
