"""MORTAR on CoQA: several systems side by side, in the shape of both papers' tables, as Markdown.

python studies/mortar/run.py --data coqa-dev.json [--limit N] [--complete] [--systems reader,reader-no-history]
    [--endpoint URL --model NAME] [--metal] [--earlier] [--published] [--extractor NAME] [--helper MODEL]
    [--dataset-check READING] [--sheet FILLED.csv] [--out DIR]

Answers are stored in DIR; a second call with another judge or other tables asks nothing again. With --metal and
--earlier Figure 7 is drawn as DIR/figure7.svg. People are a system, too: `mutatis sheet CONFIG answers` draws what they
fill in for `--sheet`. `--helper local` has SmolLM2, the small model that a package carries, extract knowledge.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import figure
import tables

from mutatis.api import run_config
from mutatis.config import check
from mutatis.recipes import RECIPES
from mutatis.systems.local import carried_weights

READERS: dict[str, dict[str, Any]] = {
    "reader": {},
    "reader-no-history": {"history": False},
    "reader-bold": {"threshold": 0.6},
}

DIFFERENCES = """What differs from the papers, and why the figures are not to be compared one by one:

- **Other systems.** The papers test six instruction-tuned models of 0.5 to 9 billion parameters; here it is whatever
  `--systems` and `--endpoint` name. The built-in reader is a weak extractive system that needs no download.
- **Rebuilt data.** The file holds 500 dialogues with 7,167 of CoQA's 7,983 questions; 293 dialogues are certainly
  complete (`--complete`), and headline figures are on those. There are no additional answers, so a right answer in
  other words counts against a system.
- **The context check** is {check}. The papers extract knowledge with a large language model, lose 97 of 500 dialogues
  and call 99.4 % of the turns equivalent, so that MR2 and MR4 hardly speak. The offline check runs on all dialogues and
  knows a third verdict, undecided: such turns enter no relation. `--published` is the papers' own set-up.
- **The judge** is chosen with `--measure`: `minilm-cosine` at 0.6 is the later paper's.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study and print its tables."""
    args = _arguments(arguments)
    args.out.mkdir(parents=True, exist_ok=True)
    recipes = ["mortar_v2_paper" if args.published else "mortar", *(["mortar_v1"] if args.earlier else [])]
    differences = DIFFERENCES.replace("{check}", _named(check(_tables(args, recipes[0])).context))
    parts = [f"# MORTAR on {args.data.name}\n\n{differences}"]
    for recipe in recipes:
        started = time.perf_counter()
        report = run_config(check(_tables(args, recipe)), store=args.out / "store.db", out=args.out / recipe).report
        seconds = time.perf_counter() - started
        title = "The earlier paper" if recipe == "mortar_v1" else "The later paper"
        shown = tables.earlier(report) if recipe == "mortar_v1" else tables.later(report)
        if recipe == "mortar_v1" and args.metal:
            figure.critical(report, args.out / "figure7.svg")
        parts.append(f"## {title}\n\n{_cost(report, seconds)}\n\n{shown}")
    text = "\n\n".join(parts) + "\n"
    (args.out / "tables.md").write_text(text, encoding="utf-8")
    print(text)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="CoQA in its official JSON form, also .xz or .gz")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--complete", action="store_true", help="only dialogues marked as complete")
    parser.add_argument("--systems", default="reader,reader-no-history", help=f"of {', '.join(READERS)}; may be empty")
    parser.add_argument("--endpoint", help="base URL of an OpenAI-compatible server")
    parser.add_argument("--model", action="append", default=[], help="a model behind --endpoint; may be repeated")
    parser.add_argument("--sheet", type=Path, help="an answer sheet that people filled in: they are a system, too")
    parser.add_argument("--metal", action="store_true", help="compare with single-turn testing in the same run")
    parser.add_argument("--earlier", action="store_true", help="the earlier paper's tables too")
    parser.add_argument("--published", action="store_true", help="the later paper's own judge and context check")
    parser.add_argument("--extractor", choices=["offline", "language-model", "gold"], help="of the context check")
    parser.add_argument("--helper", metavar="MODEL", help="the model that extracts knowledge, behind --helper-endpoint")
    parser.add_argument("--helper-endpoint", metavar="URL", help="where --helper is served; by default --endpoint")
    parser.add_argument("--dataset-check", choices=["salient", "papers", "off"], help="of the context check")
    parser.add_argument("--measure", help="judge; by default the recipe's")
    parser.add_argument("--threshold", type=float, help="both thresholds of the judge")
    parser.add_argument("--confirm", type=int, default=0, help="findings per relation that are asked again")
    parser.add_argument("--out", type=Path, default=Path("mortar-study"))
    return parser.parse_args(arguments)


def _tables(args: argparse.Namespace, recipe: str) -> dict[str, Any]:
    """Return the configuration; what is not given here is the recipe's, or the default."""
    systems = [{"type": "builtin", "name": "reader", "label": name, **READERS[name]} for name in _names(args.systems)]
    systems += [{"type": "openai", "base_url": args.endpoint, "model": m, "label": m} for m in args.model]
    if args.sheet:
        systems.append({"type": "sheet", "path": str(args.sheet.absolute()), "label": "people"})
    data: dict[str, Any] = {"format": "coqa", "path": str(args.data.absolute())}
    if args.limit is not None:
        data["limit"] = args.limit
    if args.complete:
        data["complete"] = True
    config: dict[str, Any] = {"recipe": recipe, "systems": systems, "data": data, "noise_floor": 0}
    config |= {"confirm": args.confirm, "shrink": 16 if args.confirm else 0}
    context = {"extractor": args.extractor, "dataset_check": args.dataset_check}
    config["context"] = {key: value for key, value in context.items() if value is not None}
    if args.helper == "local":
        weights = str(carried_weights())
        config["helper"] = {"type": "local", "path": weights, "label": "SmolLM2-135M", "max_tokens": 1000}
    elif args.helper:
        url = args.helper_endpoint or args.endpoint
        if url is None:
            raise SystemExit("--helper needs --helper-endpoint or --endpoint: the address that serves the model")
        config["helper"] = {"type": "openai", "base_url": url, "model": args.helper}
    if args.metal:
        chosen = RECIPES[recipe].relations
        config["relations"] = [*chosen, "tag:metal-v1" if recipe == "mortar_v1" else "tag:metal"]
    if args.measure and recipe != "mortar_v1":
        config["judge"] = {"measure": args.measure}
        if args.threshold is not None:
            config["judge"] |= {"equal": args.threshold, "different": args.threshold}
    if check(dict(config)).context.extractor == "language-model" and not args.helper:
        raise SystemExit("the extractor 'language-model' needs --helper MODEL; or give --extractor offline")
    return config


def _named(section: Any) -> str:
    """Return what the context check of a run is, in words."""
    reading = section.dataset_check or "salient"
    verdicts = "two verdicts" if section.undecided == "equivalent" else "three verdicts"
    return f"`{section.extractor}` with {verdicts}, the story read as `{reading}`"


def _names(written: str) -> list[str]:
    names = [name.strip() for name in written.split(",") if name.strip()]
    for name in names:
        if name not in READERS:
            raise SystemExit(f"--systems: {name!r} is none of {', '.join(READERS)}")
    return names


def _cost(report: Any, seconds: float) -> str:
    queries = report["run"]["queries"]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    saved = 1 - (queries["paid"] + queries["stored"]) / queries["logical"] if queries["logical"] else 0.0
    return (
        f"{seconds:,.0f} s, at most {memory:,.0f} MiB; {queries['logical']:,} logical queries, "
        f"{queries['paid']:,} paid, {queries['stored']:,} from the store; "
        f"{saved:.1%} saved by sharing equal beginnings of dialogues."
    )


if __name__ == "__main__":
    main()
