"""Identifies a model folder by a hash of its contents."""

from __future__ import annotations

import hashlib
from pathlib import Path

_ENDINGS = frozenset({".json", ".safetensors", ".bin", ".model", ".txt", ".jinja", ".pt"})


def hash_folder(folder: Path) -> str:
    """Return a hash of the names and contents of the model files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in _ENDINGS):
        digest.update(str(file.relative_to(folder)).encode())
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]
