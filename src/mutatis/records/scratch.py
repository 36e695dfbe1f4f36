"""A temporary folder that is deleted together with the object that owns it."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Self

from mutatis.core.errors import UsageError


class Scratch:
    """A temporary folder that is removed once no object refers to it, or when the process ends.

    Copies share the folder. A pickle contains the files themselves, since results from a separate process may be read
    after its folder is gone.
    """

    def __init__(self) -> None:
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="mutatis-"))
        except OSError as error:
            raise UsageError(f"cannot create a temporary folder: {error.strerror}; name a folder for the run") from None
        self._removal = weakref.finalize(self, _remove, self.folder, os.getpid())

    def remove(self) -> None:
        """Remove the folder immediately."""
        self._removal()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, ({file.name: file.read_bytes() for file in self.folder.iterdir()},)


def _restored(files: dict[str, bytes]) -> Scratch:
    scratch = Scratch()
    for name, content in files.items():
        (scratch.folder / name).write_bytes(content)
    return scratch


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() != owner:  # a forked process has a copy of the object, but does not own the folder
        return
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():  # Windows does not delete open files, so try again at the end of the process
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
