"""What several rooms need of text: normalisation, numbers, abstention, polarity, sentences, the embedder.

Must not know what a measure, a relation or a system is.
"""
