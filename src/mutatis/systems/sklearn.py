"""A scikit-learn pipeline as the system under test: a joblib or skops file, or a fitted object.

The loader is imported only if a file is given. The pipeline receives one text per turn.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pydantic

from mutatis.core.errors import MutatisError, SystemFailure, UsageError
from mutatis.core.extras import require
from mutatis.core.system import Conversation, Response, System
from mutatis.opening import Opens
from mutatis.options import Options
from mutatis.systems.pipelines import likeliest, texts_of
from mutatis.systems.registry import SYSTEMS
from mutatis.text.visible import named

log = logging.getLogger("mutatis")


@dataclass(slots=True, kw_only=True)
class SklearnSystem(System):
    """A scikit-learn pipeline as the system under test.

    It receives the joined fields of a turn, and answers with a label and, if available, probabilities.
    """

    label: str
    pipeline: Any
    base: Mapping[str, Any]
    options: SklearnOptions
    classes: tuple[str, ...]
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the version of the pipeline, the form of its input, and the names given to its classes."""
        return {**self.base, **self.options.model_dump(include={"fields", "separator", "labels"})}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Classify many texts at once, in a thread."""
        return list(await asyncio.to_thread(self._answers, conversations))

    def token_ids(self, fields: Mapping[str, str]) -> tuple[Any, ...]:
        """Return the vector that the pipeline's last step receives, or the text itself if there is only one step."""
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
        return self.options.separator.join(texts_of(fields, self.options.fields or tuple(fields), self.label))

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response]:
        texts = [self._text(conversation.fields) for conversation in conversations]
        with self.lock:
            if not hasattr(self.pipeline, "predict_proba"):
                return [Response(text=self._name(label)) for label in self.pipeline.predict(texts)]
            rows = self.pipeline.predict_proba(texts).tolist()
        names = [self._name(label) for label in self.pipeline.classes_]
        return [likeliest(zip(names, row, strict=True), 6) for row in rows]

    def _name(self, label: object) -> str:
        return self.options.labels.get(str(label), str(label))


@SYSTEMS.register("sklearn")
class SklearnOptions(Options):
    """Options of a scikit-learn pipeline that takes texts: a joblib file, a skops file, or the object.

    Loading a joblib file runs code from it.

    Attributes:
        model: path of a joblib file, or of a .skops file, which runs no code; in Python also a fitted pipeline.
        sha256: the file's expected hash, or at least its first 16 characters. It is checked before loading.
        trusted: types in a .skops file that may be created although they do not belong to scikit-learn.
        fields: the fields that the pipeline receives; by default all fields.
        separator: text between the fields.
        labels: other names for the pipeline's classes, such as {"1" = "positive"}.
        revision: version of the pipeline; by default the hash of the file.
        label: the system's name in reports.
    """

    model: Annotated[Any, Opens("loads the model")]
    sha256: str | None = pydantic.Field(default=None, pattern="^[0-9a-f]{16,64}$")
    trusted: Sequence[str] = ()
    fields: Sequence[str] = ()
    separator: str = "\n"
    labels: Mapping[str, str] = {}
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Build the system, loading the file if there is one."""
        require("all", "an sklearn system", "sklearn", "joblib")
        import joblib

        if isinstance(self.model, str | Path):
            digest, pipeline = self._load(Path(self.model))
            name, version = Path(self.model).stem, digest[:16]
        else:
            pipeline = self.model
            name = type(pipeline).__name__
            version = "" if self.revision else joblib.hash(pipeline)
        if not hasattr(pipeline, "predict"):
            raise UsageError(f"sklearn model {self.model!r} is a {type(pipeline).__name__}; expected a fitted pipeline")
        _check_fitted(pipeline)
        fitted = [str(label) for label in getattr(pipeline, "classes_", ())]  # a regressor has none
        return SklearnSystem(
            label=self.label or f"sklearn:{name}",
            pipeline=pipeline,
            base={"type": "sklearn", "model": name, "revision": self.revision or version},
            options=self,
            classes=tuple(self.labels.get(label, label) for label in fitted),
        )

    def _load(self, path: Path) -> tuple[str, Any]:
        """Return the hash of a file, and the pipeline that the file contains."""
        try:
            content = path.read_bytes()  # read once, so that the hash belongs to the content that is loaded
        except OSError as error:
            why = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
            raise UsageError(
                f"sklearn model {str(path)!r}: {why}; expected a file that contains a fitted pipeline"
            ) from None
        digest = hashlib.sha256(content).hexdigest()
        if self.sha256 is not None and not digest.startswith(self.sha256):
            raise UsageError(
                f"sklearn model {str(path)!r} has the SHA-256 digest {digest}; expected {self.sha256}; the file was "
                "not loaded"
            )
        try:
            return digest, self._skops(content) if path.suffix == ".skops" else self._joblib(content, path, digest)
        except MutatisError:
            raise
        except Exception as error:
            raise UsageError(
                f"sklearn model {str(path)!r} cannot be loaded: {named(error)}; expected a file written by joblib.dump "
                "or skops"
            ) from error

    def _joblib(self, content: bytes, path: Path, digest: str) -> Any:
        import joblib

        if self.sha256 is None:
            log.warning(
                'loading %s, which runs code from it: use only files you trust; sha256 = "%s" accepts no other',
                path,
                digest,
            )
        return joblib.load(io.BytesIO(content))

    def _skops(self, content: bytes) -> Any:
        require("skops", "a .skops file", "skops")
        from skops.io import get_untrusted_types, loads

        strange = sorted(set(get_untrusted_types(data=content)) - set(self.trusted))
        if strange:
            raise UsageError(
                f"sklearn model {str(self.model)!r} contains types from outside scikit-learn: {', '.join(strange)}; if "
                f"you trust these types, set trusted = {json.dumps(strange)}"
            )
        return loads(content, trusted=list(self.trusted))


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
        return  # an estimator that is not from scikit-learn cannot be checked
