"""`mutatis init`: a first configuration that runs as it is."""

from __future__ import annotations

from pathlib import Path

import typer

import mutatis
from mutatis.core.errors import UsageError
from mutatis.datasets import sample

SCHEMA = Path(mutatis.__file__).with_name("mutatis.schema.json")
"""What editors complete and check the file by (Taplo, Even Better TOML)."""

TEMPLATE = """\
#:schema {schema}
# A first configuration: `mutatis run {name}` runs it as it is, offline.
seed = 7
relations = ["tag:robustness"]    # names, published ids or tags; see: mutatis list relations

[system]
type = "builtin"                  # see: mutatis list systems
name = "sentiment"
# type = "openai"                 # any OpenAI-compatible endpoint
# model = "my-model"
# base_url = "http://127.0.0.1:8000/v1"
# api_key_env = "OPENAI_API_KEY"  # the name of the variable, never the key
# temperature = 0.0

[data]
task = "sentiment"                # see: mutatis list tasks
format = "jsonl"                  # see: mutatis list datasets
path = {path}
limit = 20

# [helper]                        # the language model that makes follow-ups, with the keys of [system]
# type = "openai"

[gate]
max_rate = 0.25                   # exit code 1 where a relation is violated more often
"""


def init(path: Path) -> None:
    """Write the configuration; an existing file is left alone.

    Raises:
        UsageError: the file exists or cannot be written.
    """
    # A TOML literal string: backslashes of a path mean themselves.
    text = TEMPLATE.format(schema=SCHEMA.as_uri(), name=path.name, path=f"'{sample('reviews')}'")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists; delete it, or name another file: mutatis init my.toml") from None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    typer.echo(f"wrote {path}; next: mutatis run {path}")
