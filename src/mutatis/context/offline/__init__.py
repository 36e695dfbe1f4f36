"""The offline extractor: two small fitted models with guards; no language model and no downloads."""
