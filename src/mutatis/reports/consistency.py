"""States which of two systems or runs is more consistent, by how much, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Iterator

from mutatis.analysis.comparison import Paired, RunComparison, sources_to_tell
from mutatis.reports.numbers import counted, line, percent


def consistency_lines(result: RunComparison) -> Iterator[str]:
    """Yield a sentence on consistency for each system that two runs have in common, or for two compared systems."""
    for system, pair in result.overall.items():
        if result.old_system is not None and result.new_system is not None:
            yield consistency_sentence(result.old_system, result.new_system, pair, adjusted=len(result.overall) > 1)
        else:
            several = len(result.overall) > 1
            of = f" of {system}" if several else ""
            yield consistency_sentence(f"the old run{of}", f"the new run{of}", pair, adjusted=several)


def consistency_sentence(old: str, new: str, pair: Paired, *, adjusted: bool) -> str:
    """Return a sentence that states which of two systems or runs is more consistent.

    `adjusted` is True if several pairs are compared, so that their p-values are corrected together.

    >>> pair = Paired(sources=40, worse=4, better=7, p=0.55, adjusted=0.55, old=0.123, new=0.081)
    >>> print(consistency_sentence("A", "B", pair, adjusted=False))  # doctest: +NORMALIZE_WHITESPACE
    A and B cannot be distinguished: of 40 questions B is more consistent on 7 and less on 4 (violated: 8.1 %,
    A 12.3 %), which may be chance (p = 0.55); about 390 questions like these would be enough.
    """
    old, new = line(old), line(new)
    asked = counted(pair.sources, "question")
    if not pair.worse + pair.better:
        return f"{_first(old)} and {new} are equally consistent on each of {asked} (violated: {percent(pair.new)})."
    ahead, behind = (new, old) if pair.better >= pair.worse else (old, new)
    more, less = max(pair.better, pair.worse), min(pair.better, pair.worse)
    rates = (pair.new, pair.old) if ahead == new else (pair.old, pair.new)
    where = f"of {asked} {ahead} is more consistent on {more:,} and less on {less:,}"
    violated = f"violated: {percent(rates[0])}, {behind} {percent(rates[1])}"
    name = "adjusted p" if adjusted else "p"
    p = f"{name} < 0.0001" if pair.adjusted < 0.0001 else f"{name} = {pair.adjusted:.2g}"
    if pair.significant:
        return (
            f"{_first(ahead)} is more consistent than {behind}: {where} ({violated}), more than chance explains ({p})."
        )
    needed = sources_to_tell(pair)
    tell = f"about {needed:,} questions like these would be enough" if needed else "nothing points to either"
    return f"{_first(old)} and {new} cannot be distinguished: {where} ({violated}), which may be chance ({p}); {tell}."


def _first(name: str) -> str:
    """Return a name with a capital letter for the start of a sentence. Labels given by the user are not changed."""
    return f"T{name[1:]}" if name.startswith(("the old run", "the new run")) else name
