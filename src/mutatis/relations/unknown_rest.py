"""Series of calls that ended because the result of a call was unknown: the calls after it are unknown, too.

If one series ended like this and the other continued, only a call that the other lacks is a difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from mutatis.core.calls import Tool, tools_in
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group
from mutatis.measures.similarities import cannot_tell
from mutatis.measures.tool_calls import CallData, call_list, compare_calls


def with_unknown_rest(group: Group, similarities: Sequence[Similarity], judge: Judge) -> Sequence[Similarity]:
    """Return the members' similarities, open if they differ only in the unknown rest of a series that ended."""
    return [
        cannot_tell(f"it is unknown what {name} returned, and which calls would have followed")
        if not similarity.open and similarity.score < judge.equal and (name := _unanswered(group, member)) is not None
        else similarity
        for member, similarity in enumerate(similarities)
    ]


def _unanswered(group: Group, member: int) -> str | None:
    """Return the tool at which the shorter series ended, if the longer one contains all its calls; else None."""
    source, follow_up = group.source.response, group.members[member].response
    if source is None or follow_up is None or group.directed or not group.reference:
        return None
    known = [sum(call.result is not None for call in response.calls) for response in (source, follow_up)]
    ended = source if known[0] < known[1] else follow_up
    call = next((call for call in ended.calls if call.result is None and not call.malformed), None)
    expected, answered = call_list(group.reference[0]), call_list(group.members[member].answer)
    if known[0] == known[1] or call is None or expected is None or answered is None:
        return None
    short, long = (expected, answered) if ended is source else (answered, expected)
    return call.name if _are_among(short, long, tools_in(group.members[member].case.material), group.question) else None


def _are_among(calls: Sequence[CallData], others: Sequence[CallData], tools: Sequence[Tool], question: str) -> bool:
    """Return True if each call may be one of the others, each used at most once."""
    rest = list(others)
    for call in calls:
        told = [compare_calls([call], [other], tools, question) for other in rest]
        fitting = [place for place, similarity in enumerate(told) if similarity.open or similarity.score >= 0.5]
        if not fitting:
            return False
        del rest[max(fitting, key=lambda place: not told[place].open)]
    return True
