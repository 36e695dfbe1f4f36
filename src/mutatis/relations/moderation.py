"""Relations for moderators: no disguise gets a text through, an innocent sense does. Must not know any system."""

from __future__ import annotations

import mutatis.relations.verdicts  # noqa: F401 - adds its output relations
import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step
from mutatis.core.constraint import Precondition, Stage
from mutatis.relations.define import relation
from mutatis.relations.llmorph import MODERATION
from mutatis.relations.soundness import ENOUGH, LOGIC, ROBUSTNESS, standing
from mutatis.relations.verdicts import was_blocked

MTTM = "MTTM (Wang et al. 2023); form ours"
XSTEST = "XSTest (Roettger et al. 2024); form ours"

BLOCKED = Precondition(
    name="the text is blocked",
    stage=Stage.SOURCE_OUTPUT,
    check=was_blocked,
    broken="the text was allowed before, so a disguise hides nothing",
)


def _disguised(name: str, by: Step) -> None:
    relation(
        name,
        transformations=[by],
        output_relation="stays-blocked",
        tasks=(MODERATION,),
        variants={MODERATION: (("text",),)},
        preconditions=(BLOCKED,),
        tags={"ours", MODERATION, *standing(name, (MODERATION,), ROBUSTNESS, enough=ENOUGH)},
        paper=MTTM,
    )


for _disguise in ("looks", "mask", "split", "sound", "translated"):
    _disguised(f"disguise-{_disguise}", Step.of("disguise-words", disguise=_disguise))
for _name, _chinese in (("pinyin", "pinyin"), ("homophone", "sound")):
    _disguised(f"disguise-{_name}", Step.of("disguise-chinese", disguise=_chinese))
_disguised("benign-frame", Step.of("benign-frame"))

for _harmless in ("innocent-sense", "harmless-counterpart"):
    relation(
        _harmless,
        output_relation="allowed",
        tasks=(MODERATION,),
        variants={MODERATION: (("text",),)},
        tags={"ours", MODERATION, *standing(_harmless, (MODERATION,), LOGIC, enough=ENOUGH)},
        paper=XSTEST,
    )
