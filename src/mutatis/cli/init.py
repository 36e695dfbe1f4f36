"""`mutatis init`: writes starter files for each kind of system, which run as they are."""

from __future__ import annotations

from pathlib import Path
from string import Template

import typer

import mutatis
from mutatis.core.errors import UsageError
from mutatis.datasets import sample
from mutatis.records.files import writing
from mutatis.secrets.environment import with_references
from mutatis.systems.addresses import checked_url, shown_address

SCHEMA = Path(mutatis.__file__).with_name("mutatis.schema.json")
"""Path of the schema that editors use to complete and check the file (Taplo, Even Better TOML)."""


def _starter(file: str, **values: object) -> str:
    """Return the text of a starter file, with each `$name` replaced by the given value."""
    return Template((Path(__file__).parent / "starters" / file).read_text(encoding="utf-8")).substitute(values)


def init(path: Path | None, *, kind: str = "", url: str = "") -> None:
    """Write the starter files for a kind of system. An existing file of questions is kept and used.

    Secrets in the address, and parts that look like secrets, are replaced with the name of an environment variable.

    Args:
        path: the file to run; by default, a name that depends on the kind.
        kind: "", "http", "openai", "function", "sklearn", "pytest" or "tracker".
        url: the address of the bot, for kind "http".

    Raises:
        UsageError: a file exists, cannot be written or has the wrong suffix, or the address is invalid.
    """
    variables: list[str] = []
    if kind == "http":
        if not url.startswith(("http://", "https://")):
            raise UsageError(
                f"--http {shown_address(url)!r} is not an address; expected an address, for example: --http "
                "http://127.0.0.1:8000/chat"
            )
        url, variables = with_references(checked_url(url, "--http"), "BOT")
    path = _file_to_run(path, kind)
    new = _files(path, kind, url)
    questions = path.parent / "questions.txt"
    keeps_questions = questions in new and questions.exists()
    if keeps_questions:
        del new[questions]
    if existing := [file for file in new if file.exists()]:
        other = f", or name another file: mutatis init other{path.suffix}" if existing[0] == path else ""
        raise UsageError(f"{existing[0]} exists; move it away{other}")
    for file, text in new.items():
        with writing(file), file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    notes = f"; {questions} is left unchanged" if keeps_questions else ""
    if variables:
        assignments = " ".join(f"{variable}=..." for variable in variables)
        notes += f"; a secret of the address is read from the environment: export {assignments}"
    commands = {"pytest": f"pip install pytest && python -m pytest {path}", "sklearn": f"python {path}"}
    typer.echo(f"wrote {', '.join(map(str, new))}{notes}; next: {commands.get(kind, f'mutatis run {path}')}")


def _file_to_run(path: Path | None, kind: str) -> Path:
    """Return the path of the file to run.

    Raises:
        UsageError: the suffix is wrong for this kind of system, or the path is a folder.
    """
    default = {"pytest": "test_my_bot.py", "sklearn": "check_model.py"}.get(kind, "mutatis.toml")
    path = Path(default) if path is None else path
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it: {path / default}")
    if (path.suffix == ".py") != default.endswith(".py"):
        ending = Path(default).suffix
        raise UsageError(f"{path} does not end in {ending}; expected a name such as {path.with_suffix(ending)}")
    return path


def _files(path: Path, kind: str, url: str) -> dict[Path, str]:
    """Return the paths and texts of the files to write. The first one is the file to run."""
    name, beside = path.name, path.parent
    if kind in ("pytest", "sklearn"):
        return {path: _starter(f"{kind}.py.txt", name=name)}
    needs = {"http": ", where the bot is up", "openai": ", where the model is served"}.get(kind, ", offline")
    head = _starter("head.toml", schema=SCHEMA.as_uri(), name=name, needs=needs)
    # The templates write paths as TOML literal strings, in which a backslash needs no escape.
    if kind == "":
        return {path: head + _starter("builtin.toml", reviews=sample("reviews"))}
    if kind == "tracker":
        return {path: head + _starter("tracker.toml", bookings=sample("bookings"))}
    quoted = '"' + url.replace("\\", "\\\\").replace('"', '\\"') + '"'
    chat = head + _starter(f"{kind}.toml", name=name, url=quoted) + _starter("chat_data.toml")
    files = {path: chat, beside / "questions.txt": _starter("questions.txt")}
    return {**files, beside / "my_bot.py": _starter("my_bot.py.txt")} if kind == "function" else files
