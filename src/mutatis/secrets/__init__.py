"""Finds the secrets in a configuration and keeps them out of everything that is displayed."""

from mutatis.secrets.environment import (
    ENVIRONMENT,
    address_from_environment,
    arguments_from_environment,
    cleaned,
    from_environment,
    options_from_environment,
    secret,
    text_from_environment,
    with_references,
    without_keys,
    without_values,
)
from mutatis.secrets.masking import Mask, public_command, public_headers, scrubbed, struck_out, without_secrets
from mutatis.secrets.scanning import HIDDEN, SENT, Secret, looks_secret, secrets_in

__all__ = [
    "ENVIRONMENT",
    "HIDDEN",
    "SENT",
    "Mask",
    "Secret",
    "address_from_environment",
    "arguments_from_environment",
    "cleaned",
    "from_environment",
    "looks_secret",
    "options_from_environment",
    "public_command",
    "public_headers",
    "scrubbed",
    "secret",
    "secrets_in",
    "struck_out",
    "text_from_environment",
    "with_references",
    "without_keys",
    "without_secrets",
    "without_values",
]
