"""A scikit-learn pipeline as the system under test: a joblib file that the user names, or a fitted object.

Imports scikit-learn's loader only when a file is named. Must not know tasks: the pipeline is given one text per turn.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutatis.core.errors import MissingExtra, SystemFailure, UsageError
from mutatis.core.system import Conversation, Response, System
from mutatis.options import Options
from mutatis.systems.registry import SYSTEMS


@dataclass(slots=True, kw_only=True)
class SklearnSystem:
    """Gives the fields of a turn, joined, to a pipeline; answers with the label, and with probabilities if it can.

    `note` is what a user should be told before it is used.
    """

    label: str
    pipeline: Any
    base: Mapping[str, Any]
    fields: tuple[str, ...]
    separator: str
    labels: Mapping[str, str]
    note: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the version of the pipeline, what it is given, and other names of its classes."""
        given = {"fields": list(self.fields), "separator": self.separator, "labels": dict(self.labels)}
        return {**self.base, **given}

    async def ask(self, conversation: Conversation) -> Response:
        """Classify one text."""
        response = (await self.ask_many([conversation]))[0]
        if isinstance(response, SystemFailure):
            raise response
        return response

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Classify many texts at once, in a thread."""
        return list(await asyncio.to_thread(self._answers, conversations))

    def token_ids(self, fields: Mapping[str, str]) -> tuple[Any, ...]:
        """Return what the last step of the pipeline is given of a turn's fields; empty for a single step."""
        steps = getattr(self.pipeline, "steps", None)
        if not steps or len(steps) < 2:
            return (self._text(fields),)
        with self.lock:
            row = self.pipeline[:-1].transform([self._text(fields)])
        if hasattr(row, "tocsr"):
            row = row.tocsr()
            row.sort_indices()
            return (*row.indices.tolist(), *row.data.round(12).tolist())
        return tuple(row[0])

    def _text(self, fields: Mapping[str, str]) -> str:
        names = self.fields or tuple(fields)
        missing = [name for name in names if name not in fields]
        if missing:
            raise UsageError(f"{self.label}: no field {', '.join(missing)!r}; the case has: {', '.join(fields)}")
        return self.separator.join(fields[name] for name in names)

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response]:
        texts = [self._text(conversation.fields) for conversation in conversations]
        started, asked_at = time.perf_counter(), time.time()
        with self.lock:
            chances = self._probabilities(texts)
            if chances is None:
                given = [str(label) for label in self.pipeline.predict(texts)]
            else:
                given = [max(row.items(), key=lambda item: item[1])[0] for row in chances]
        latency = (time.perf_counter() - started) / len(texts)
        return [
            Response(
                text=self.labels.get(label, label),
                probabilities=None if chances is None else self._renamed(chances[number]),
                latency=latency,
                asked_at=asked_at,
            )
            for number, label in enumerate(given)
        ]

    def _renamed(self, chances: Mapping[str, float]) -> dict[str, float]:
        return {self.labels.get(label, label): chance for label, chance in chances.items()}

    def _probabilities(self, texts: Sequence[str]) -> list[dict[str, float]] | None:
        if not hasattr(self.pipeline, "predict_proba"):
            return None
        names = [str(name) for name in self.pipeline.classes_]
        rows = self.pipeline.predict_proba(texts).tolist()
        return [{name: round(chance, 6) for name, chance in zip(names, row, strict=True)} for row in rows]


@SYSTEMS.register("sklearn")
class SklearnOptions(Options):
    """A scikit-learn pipeline that takes texts: a joblib file that you trust (loading it runs code), or the object.

    Attributes:
        model: path of the joblib file; from Python also a fitted pipeline.
        fields: the fields it is given, joined by `separator`; by default all.
        labels: other names of its classes, {"1" = "positive"}.
        revision: its version; by default the hash of the file.
        label: its name in reports.
    """

    model: Any
    fields: Sequence[str] = ()
    separator: str = "\n"
    labels: Mapping[str, str] = {}
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Return the system; a file is loaded here."""
        if importlib.util.find_spec("sklearn") is None or importlib.util.find_spec("joblib") is None:
            raise MissingExtra("an sklearn system", "all")
        import joblib

        named = isinstance(self.model, str | Path)
        pipeline = self._load(Path(self.model)) if named else self.model
        if not hasattr(pipeline, "predict"):
            raise UsageError(f"sklearn model {self.model!r} is a {type(pipeline).__name__}; expected a fitted pipeline")
        _check_fitted(pipeline)
        version = self.revision
        if version is None and named:
            version = hashlib.sha256(Path(self.model).read_bytes()).hexdigest()[:16]
        name = Path(self.model).stem if named else type(pipeline).__name__
        return SklearnSystem(
            label=self.label or f"sklearn:{name}",
            pipeline=pipeline,
            base={"type": "sklearn", "model": name, "revision": version or joblib.hash(pipeline)},
            fields=tuple(self.fields),
            separator=self.separator,
            labels=self.labels,
            note=f"{self.model}: loading a joblib file runs code from it; use only files you trust" if named else "",
        )

    @staticmethod
    def _load(path: Path) -> Any:
        import joblib

        if not path.is_file():
            raise UsageError(f"sklearn model {str(path)!r}: no such file; expected a joblib file of a fitted pipeline")
        try:
            return joblib.load(path)
        except Exception as error:
            why = " ".join(str(error).split())[:200]
            raise UsageError(f"sklearn model {str(path)!r} cannot be loaded: {type(error).__name__}: {why}") from error


def _check_fitted(pipeline: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(pipeline)
    except NotFittedError:
        raise UsageError(
            f"sklearn model {type(pipeline).__name__} is not fitted; call its fit(texts, labels) first"
        ) from None
    except TypeError:
        return  # no estimator of scikit-learn itself: it is taken at its word
