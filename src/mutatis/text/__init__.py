"""Text utilities shared by several packages: normalisation, numbers, abstention, polarity, sentences, the embedder."""
