"""`mutatis init`: writes starter files that run as they are, for each kind of system."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import typer

import mutatis
from mutatis.core.errors import UsageError
from mutatis.datasets import sample
from mutatis.secrets import with_references
from mutatis.systems.addresses import checked_url, shown_address

SCHEMA = Path(mutatis.__file__).with_name("mutatis.schema.json")
"""The schema that editors use to complete and check the file (Taplo, Even Better TOML)."""

HEAD = """\
#:schema {schema}
# `mutatis run {name}` runs it as it is{needs}.
"""

BUILTIN = """\
seed = 7
relations = ["tag:robustness"]    # names, published ids or tags; see: mutatis list relations

[system]
type = "builtin"                  # see: mutatis list systems; other first files: mutatis init --help
name = "sentiment"

[data]
task = "sentiment"                # see: mutatis list tasks
format = "jsonl"                  # see: mutatis list datasets
path = '{reviews}'
limit = 20

# [helper]                        # the language model that makes follow-ups, with the keys of [system]
# type = "openai"

[gate]
max_rate = 0.25                   # exit code 1 where a relation is violated more often
"""

CHAT_DATA = """
[data]
task = "chat"                     # your own questions, one per line
format = "lines"
path = "questions.txt"

# [gate]
# baseline = "baseline.json"      # fail on new findings only: mutatis report latest --format baseline -o baseline.json
"""

HTTP = """\
# One question first, with what goes over the wire: mutatis ask {name}
[system]
type = "http"
url = {url}
# headers = {{ Authorization = "Bearer env:BOT_TOKEN" }}
# request = {{ message = "{{message}}", history = "{{history}}" }}   # default: the usual names
# request = {{ message = "{{message}}", session = "{{session}}" }}   # a bot that keeps the dialogue: an id of ours
# session_start = {{ url = {url}, response = "id" }}   # ... or one that it hands out, which becomes {{session}}
# response = "data.reply"                                        # default: found by its name
# revision = "1"                  # another word where it was redeployed: stored answers of this one are not used
"""

OPENAI = """\
# One question first, with what goes over the wire: mutatis ask {name}
[system]
type = "openai"                   # any OpenAI-compatible endpoint: docs/systems.md has the settings of the usual ones
base_url = "http://127.0.0.1:11434/v1"
model = "llama3.2"
# api_key_env = "OPENAI_API_KEY"  # the name of the variable, never the key
# temperature = "default"         # for models that take none
# revision = "1"                  # another word where it was redeployed: stored answers of this one are not used
# prices = {{ prompt = 0.15, completion = 0.60 }}   # of a million tokens: the summary tells the money
"""

FUNCTION = """\
[system]
type = "function"
target = "my_bot.py:answer"
"""

TRACKER = """\
relations = ["tag:states"]        # slips of typing that leave the values alone

[system]
type = "builtin"                  # yours: "function", "http" or "openai"; the answer is a JSON object of slots
name = "tracker"

[data]
format = "states"                 # one dialogue per line: turns of utterance, reply and (optional) state
path = '{bookings}'
limit = 10
"""

QUESTIONS = """\
Do you deliver on Saturdays?
How can I return a pair of shoes?
Which colours does the jacket come in?
My parcel has not arrived. What should I do?
Is the blue backpack waterproof?
"""

MY_BOT = '''\
"""A bot to begin with: put yours in its place. It has a fault: it knows no words in capitals."""

ANSWERS = {
    "deliver": "Yes, we deliver from Monday to Saturday.",
    "return": "Send it back within 30 days; the label is in the parcel.",
    "colours": "The jacket comes in green and grey.",
    "parcel": "I am sorry. Please tell me your order number.",
    "backpack": "Yes, it keeps water out.",
}


def answer(text, history=()):
    return next((reply for word, reply in ANSWERS.items() if word in text), "I did not understand that.")
'''

PYTEST = '''\
"""Run with: pytest {name}. One test per relation; the bot has a fault to be found: it knows no words in capitals."""

import pytest

QUESTIONS = ["Do you deliver on Saturdays?", "How can I return a pair of shoes?", "Is the backpack waterproof?"]
ANSWERS = {{"deliver": "Yes, on Saturdays, too.", "return": "Within 30 days.", "backpack": "Yes, it keeps water out."}}


def bot(text):
    return next((reply for word, reply in ANSWERS.items() if word in text), "I did not understand that.")


@pytest.mark.metamorphic("tag:robustness", task="chat")
def test_bot(metamorphic, relation):
    metamorphic(bot, QUESTIONS).check()
'''

SKLEARN = '''\
"""Run with: python {name}. A classifier is trained and asked; put yours in its place. The test needs no labels."""

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import mutatis

good = ["a quiet and happy film", "the soup was tasty", "a bright room", "a solid lamp, I love it"]
bad = ["a dull and slow film", "the soup was cold", "a dark room", "a weak lamp, it broke"]
model = make_pipeline(CountVectorizer(lowercase=False), LogisticRegression())
model.fit(good + bad, ["positive"] * len(good) + ["negative"] * len(bad))

texts = ["A happy film about friends.", "The room was quiet and bright.", "The lamp broke after a week."]
run = mutatis.run(model, texts, ["tag:robustness"], task="sentiment", out="sklearn-out")
print(run.table())
print(run.save("sklearn-out/report.html"))
'''


def init(path: Path | None, *, kind: str = "", url: str = "") -> None:
    """Write the starter files for a kind of system. Existing files are kept, and existing questions are used.

    Args:
        path: the file to run; by default, a name that depends on the kind.
        kind: "", "http", "openai", "function", "sklearn", "pytest" or "tracker".
        url: for kind http: the address of the bot.

    Secrets in the address, and parts that look like one, are replaced by the name of an environment variable.

    Raises:
        UsageError: a file exists, cannot be written or has the wrong ending, or the address is invalid.
    """
    if kind == "http" and not url.startswith(("http://", "https://")):
        told = shown_address(url)
        raise UsageError(f"--http {told!r} is not an address; expected for example: --http http://127.0.0.1:8000/chat")
    url, variables = with_references(checked_url(url, "--http"), "BOT") if kind == "http" else ("", [])
    path = _named(path, kind)
    files = _files(path, kind, url)
    questions = path.parent / "questions.txt"
    kept = [questions] if questions in files and questions.exists() else []
    new = {file: text for file, text in files.items() if file not in kept}
    if taken := [file for file in new if file.exists()]:
        other = f", or name another file: mutatis init other{path.suffix}" if taken[0] == path else ""
        raise UsageError(f"{taken[0]} exists; move it away{other}")
    for file, text in new.items():
        try:
            with file.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror}") from None
    first = {"pytest": f"pip install pytest && python -m pytest {path}", "sklearn": f"python {path}"}.get(
        kind, f"mutatis run {path}"
    )
    notes = "".join(f"; {file} is kept as it is" for file in kept)
    if variables:
        notes += f"; a secret of the address is read from the environment: export {variables[0]}=..."
        notes += "".join(f" {variable}=..." for variable in variables[1:])
    typer.echo(f"wrote {', '.join(map(str, new))}{notes}; next: {first}")


def _named(path: Path | None, kind: str) -> Path:
    """Return the file to write. Raise UsageError if its ending belongs to another kind, or if it is a folder."""
    default = {"pytest": "test_my_bot.py", "sklearn": "check_model.py"}.get(kind, "mutatis.toml")
    path = Path(default) if path is None else path
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it: {path / default}")
    if (path.suffix == ".py") != default.endswith(".py"):
        ending = Path(default).suffix
        raise UsageError(f"{path} does not end in {ending}; expected for example: {path.with_suffix(ending)}")
    return path


def _files(path: Path, kind: str, url: str) -> Mapping[Path, str]:
    """Return the files to write, starting with the one to run."""
    name, beside = path.name, path.parent
    if kind == "pytest":
        return {path: PYTEST.format(name=name)}
    if kind == "sklearn":
        return {path: SKLEARN.format(name=name)}
    needs = {"http": ", where the bot is up", "openai": ", where the model is served"}.get(kind, ", offline")
    head = HEAD.format(schema=SCHEMA.as_uri(), name=name, needs=needs)
    # TOML literal strings: backslashes of a path mean themselves.
    if kind == "":
        return {path: head + BUILTIN.format(reviews=sample("reviews"))}
    if kind == "tracker":
        return {path: head + TRACKER.format(bookings=sample("bookings"))}
    quoted = '"' + url.replace("\\", "\\\\").replace('"', '\\"') + '"'
    system = {"http": HTTP.format(name=name, url=quoted), "openai": OPENAI.format(name=name), "function": FUNCTION}[
        kind
    ]
    files = {path: head + system + CHAT_DATA, beside / "questions.txt": QUESTIONS}
    return {**files, beside / "my_bot.py": MY_BOT} if kind == "function" else files
