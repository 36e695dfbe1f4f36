"""From labelled texts to the paper's tables, for several classifiers: train, sweep, print beside the published numbers.

    python studies/content_quality/study.py stackoverflow:train.csv --test valid.csv --out OUT
    python studies/content_quality/study.py banking77:train.csv.xz --test test.csv.xz --limit 500 --out OUT
    python studies/content_quality/study.py sst2:dev.tsv.xz --out OUT --start distilbert-base-cased

Trains (or finds in OUT) TF-IDF twice, one that keeps case and one that folds it, a small cased encoder from scratch,
and every `--start` checkpoint (default: the uncased MiniLM that a package carries). Encoders read whole texts, as far
as a model can (`--longest 64` cuts them off, and trains faster). OUT receives the models, a run of the recipe
`content_quality` (report.html with a plot per family, report.json), `tables.md`, and the plots as files. Networks have
one thread: where others use the cores, two wait for each other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from classifiers import carried_minilm, fine_tune, from_scratch, tf_idf
from corpora import Corpus, load
from tables import tables

from mutatis.api import run_config
from mutatis.config import check
from mutatis.relations.oracle import regions_of
from mutatis.reports.figures import save_family


def main() -> None:
    args = _arguments()
    torch.set_num_threads(1)
    options = {"encoding": args.encoding} if args.encoding else {}
    corpus = load(args.data, test=args.test, limit=args.limit, train_limit=args.train_limit, **options)
    print(f"{corpus.name}: {len(corpus.train)} to train on, {len(corpus.test)} to test, {len(corpus.labels)} labels")
    out: Path = args.out
    starts = [] if args.no_start else args.start or [str(carried_minilm())]
    systems = list(trained(corpus, out / "models", starts, longest=args.longest, epochs=args.epochs))
    report = test(corpus, systems, out)
    for family in report["metrics"]["families"]["families"]:
        save_family(family, out / f"{family['name']}.png")
    text = tables(report)
    (out / "tables.md").write_text(text, encoding="utf-8")
    print(text)
    for region in regions_of(report):
        print(f"region: {region.line}")
    for warning in report["health"]:
        print(f"{warning['name']}: {warning['subject']}: {warning['message']}")
    print(f"queries: {report['run']['queries']}")


def trained(
    corpus: Corpus, models: Path, starts: Sequence[str], *, longest: int | None, epochs: int | None
) -> Iterator[dict[str, Any]]:
    """Train what is not there yet and yield the systems of the configuration."""
    more = {} if epochs is None else {"epochs": epochs}
    for name, fold_case in (("tf-idf", False), ("tf-idf-folded", True)):
        file = models / f"{name}.joblib"
        if not file.exists():
            tf_idf(corpus, file, fold_case=fold_case)
        yield {"type": "sklearn", "model": str(file.absolute()), "label": name}
    folder = models / "small-cased"
    if not folder.exists():
        from_scratch(corpus, folder, longest=longest)
    yield _encoder(folder)
    for start in starts:
        name = "minilm-uncased" if start == str(carried_minilm()) else Path(start).name
        if not (models / name).exists():
            fine_tune(corpus, start, models / name, longest=longest, **more)
        yield _encoder(models / name)


def _encoder(folder: Path) -> dict[str, Any]:
    return {"type": "transformers", "model": str(folder.absolute()), "label": folder.name}


def test(corpus: Corpus, systems: Sequence[Mapping[str, Any]], out: Path) -> Mapping[str, Any]:
    """Run the recipe on the test part and return the report."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{corpus.name}-test.jsonl"
    file.write_text("".join(json.dumps(case.to_record()) + "\n" for case in corpus.test), encoding="utf-8")
    data = {"format": "jsonl", "path": str(file.absolute()), "task": "classification", "labels": list(corpus.labels)}
    # Confirm and shrink would ask more and change no rate; a classifier is deterministic.
    tables_of_run = {"recipe": "content_quality", "relations": ["tag:content-quality"], "systems": list(systems)}
    more = {"data": data, "confirm": 0, "shrink": 0, "noise_floor": 20, "concurrency": 512}
    return run_config(check({**tables_of_run, **more}), store=out / "store.db", out=out).report


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="FORMAT:PATH of the training part, or of everything")
    parser.add_argument("--test", type=Path, help="the test part; without it a quarter of the data")
    parser.add_argument("--out", type=Path, required=True, help="folder for models, reports and tables")
    parser.add_argument("--limit", type=int, help="test items at most")
    parser.add_argument("--train-limit", type=int, help="training items at most")
    parser.add_argument("--longest", type=int, help="tokens that encoders read; by default all that they can")
    parser.add_argument("--epochs", type=int, help="passes over the training part, of fine-tuning")
    parser.add_argument("--start", action="append", help="checkpoint to fine-tune: a folder or a hub name; repeatable")
    parser.add_argument("--no-start", action="store_true", help="fine-tune nothing: TF-IDF and the small encoder alone")
    parser.add_argument("--encoding", help="of the CSV, where it is not UTF-8")
    return parser.parse_args()


if __name__ == "__main__":
    main()
