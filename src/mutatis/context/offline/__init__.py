"""The offline extractor, which uses two small fitted models and a few fixed rules.

It needs no language model and no downloads.
"""
