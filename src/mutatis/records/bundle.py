"""Packs a run into a single file for sharing: a zip archive of its report, verdicts and page.

The store of answers is not included. The recipient can use the archive wherever a run is expected. Since it may come
from a stranger, only files that a run may contain are unpacked, up to a maximum size, and nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.records.dictionary import DICTIONARY_FILE
from mutatis.records.files import DRAWS_FILE, FINDINGS_FILE, REPORT_FILE, VERDICTS_FILE, replacing, writing
from mutatis.records.labels import LABELS_FILE

PAGE_FILE = "report.html"
MEMBERS = (
    REPORT_FILE,
    FINDINGS_FILE,
    VERDICTS_FILE,
    DRAWS_FILE,
    "repertoire.jsonl",
    DICTIONARY_FILE,
    LABELS_FILE,
    PAGE_FILE,
)
"""Names of the files that an archive contains, if the run has them."""

LARGEST = 2 * 1024**3
"""Maximum number of bytes unpacked from all members in total."""

_PIECE = 1024 * 1024
"""Number of bytes unpacked at a time."""

_LONGEST_NAME = 60
"""Maximum number of characters taken from the name of an archive for its folder. File systems allow 255 bytes."""


def is_bundle(path: Path) -> bool:
    """Return True if a file is a zip archive."""
    with path.open("rb") as stream:
        return stream.read(4) == b"PK\x03\x04"


def write_bundle(folders: Sequence[Path], path: Path) -> Path:
    """Write the files in a run's folders into an archive, and return its path.

    If two files have the same name, the first one is used.
    """
    # Reproducible container images have files dated 1970, but archives can only store times from 1980 on.
    with (
        writing(path),
        replacing(path) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive,
    ):
        for name in MEMBERS:
            file = next((folder / name for folder in folders if (folder / name).is_file()), None)
            if file is not None:
                archive.write(file, name)
    return path


def unpacked(path: Path, home: Path) -> Path:
    """Unpack an archive into a folder of its own in `home`, unless this was done before. Return the folder.

    Labels that were added in the folder are kept.

    Raises:
        UsageError: the archive is not a run, is damaged, or has larger contents than a run can have.
    """
    with path.open("rb") as stream:
        folder = home / f"{path.stem[:_LONGEST_NAME]}-{hashlib.file_digest(stream, 'sha256').hexdigest()[:10]}"
    if (folder / REPORT_FILE).is_file():
        return folder
    try:
        with zipfile.ZipFile(path) as archive:
            # The report is the first of MEMBERS, and is unpacked last: a folder that has it is complete.
            names = [name for name in reversed(MEMBERS) if name in archive.namelist()]
            if REPORT_FILE not in names:
                raise UsageError(
                    f"{path}: no {REPORT_FILE} in this archive; expected an archive written by `mutatis report`"
                )
            # An archive is not read beyond the sizes that it states.
            if sum(archive.getinfo(name).file_size for name in names) > LARGEST:
                raise UsageError(f"{path} contains more than {LARGEST:,} bytes, which is more than any run writes")
            for name in names:
                with writing(folder), replacing(folder / name) as stream:
                    stream.writelines(_pieces(archive, name))
    # A name that is not UTF-8 raises ValueError, and a directory before the beginning of the file OSError.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise UsageError(f"{path}: cannot be unpacked: {error}; ask for the file again") from None
    return folder


def _pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield the bytes of an archive member.

    Raise BadZipFile if they cannot be read, so that an OSError always means a failed write.
    """
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(f"{name} is not packed in the way that `mutatis report` packs files")
    try:
        with archive.open(name) as member:
            while piece := member.read(_PIECE):
                yield piece
    except OSError as error:
        raise zipfile.BadZipFile(str(error)) from None
