"""Packs a trained tracker as one file to hang beside a release, and writes its checksum beside it.

python studies/rltest4chatbot/pack.py checkpoint --licence LICENSE --out dist/trade-multiwoz21-val.tar.gz
tar xzf trade-multiwoz21-val.tar.gz && mutatis run --system trade:trade-multiwoz21-val ...

The same files give the same bytes. The licence is that of the data it learnt from, which goes with the weights.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

ENDING = ".tar.gz"


def packed(folder: Path, licence: Path, name: str) -> bytes:
    """Return the files of a folder and a licence as an archive whose only folder is `name`."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    files["LICENSE-of-the-data"] = licence.read_bytes()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for file, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size, entry.mode = len(content), 0o644
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(archive.getvalue(), mtime=0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the archive and its checksum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what train_trade.py or train_simpletod.py wrote")
    parser.add_argument("--licence", type=Path, required=True, help="licence of the data it learnt from")
    parser.add_argument("--out", type=Path, required=True, help=f"a name that ends in {ENDING}")
    args = parser.parse_args(arguments)
    if not args.out.name.endswith(ENDING):
        parser.error(f"--out {args.out}: expected a name that ends in {ENDING}")
    content = packed(args.folder, args.licence, args.out.name.removesuffix(ENDING))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(content)
    line = f"{hashlib.sha256(content).hexdigest()}  {args.out.name}"
    args.out.with_name(f"{args.out.name}.sha256").write_text(f"{line}\n", encoding="utf-8")
    print(f"{line}  ({len(content) / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
