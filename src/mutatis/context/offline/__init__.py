"""The offline extractor: two small fitted models and guards, no language model, nothing downloaded."""
