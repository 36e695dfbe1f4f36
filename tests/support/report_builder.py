"""A hand-made report in the shape of `report.json`, with every kind of row and finding; used by several tests."""

from __future__ import annotations

from mutatis.core.verdict import finding_id
from mutatis.records import FindingRecord, VerdictRecord
from mutatis.records.files import check_report

HOSTILE = "<script>document.title='pwned'</script>\"'><img src=x onerror=alert(1)>"
HOSTILE += "\u202e\u2066\x00\x1b[31m\ud800{{7*7}}]]>&amp;"


def typed(report):
    """The records of a report built here."""
    return check_report(report, "the report built by hand")


def typed_findings(report):
    return [FindingRecord.model_validate(finding) for finding in report["findings"]]


def typed_verdict(finding, outcome="violated", **extra):
    return VerdictRecord.model_validate(verdict(finding, outcome, **extra))


def case(name, *questions, field="question", replies=(), material=None, annotations=None):
    turns = []
    for number, question in enumerate(questions):
        turn = {"fields": {field: question} if isinstance(question, str) else question}
        if number < len(replies):
            turn["reply"] = replies[number]
        if annotations and number == len(questions) - 1:
            turn["annotations"] = annotations
        turns.append(turn)
    record = {"id": name, "turns": turns}
    if material:
        record["material"] = material
    return record


def response(text, value=None, finish="stop"):
    return {"text": text, "value": text if value is None else value, "finish": finish, "latency": 0.1, "stored": False}


def follow_up(record, answer, source, *steps, turn=0, role="follow-up", variant=("question",), origin=(0,)):
    return {
        "case": record,
        "turn": turn,
        "role": role,
        "derivation": {
            "source": source,
            "steps": [{"transformation": name, "parameters": parameters} for name, parameters in steps],
            "variant": list(variant),
            "draw": 0,
            "origin": list(origin),
        },
        "response": None if answer is None else response(answer),
    }


def finding(system, task, relation, source, follow_ups, *, turn=0, variant=("question",), **extra):
    name = finding_id(system, task, relation, source["case"]["id"], turn, variant)
    return {
        "id": name,
        "variant": list(variant),
        "system": system,
        "task": task,
        "relation": relation,
        "count": 1,
        "outcome": "violated",
        "confirmed": True,
        "score": 0.125,
        "thresholds": {"equal": 0.5, "different": 0.5},
        "measure": "answer-equivalence",
        "reason": "the answers differ although the inputs mean the same",
        "source": {"turn": turn, **source},
        "followups": follow_ups,
        "shrunk": None,
        "replay": f"mutatis replay out {name}",
        **extra,
    }


def row(system, task, relation, satisfied, violated, **extra):
    total = satisfied + violated
    rate = violated / total if total else None
    return {
        "system": system,
        "task": task,
        "relation": relation,
        "satisfied": satisfied,
        "violated": violated,
        "invalid": 0,
        "error": 0,
        "flaky": 0,
        "undecided": 0,
        "unchanged": 0,
        "rate": rate,
        "interval": None if rate is None else [max(0.0, rate - 0.05), min(1.0, rate + 0.07)],
        "distinct": violated,
        "noise_floor": 0.01,
        "above_noise": None if rate is None else rate - 0.05 > 0.01,
        "seeds": total,
        **extra,
    }


QA, DIALOGUE = "question-answering", "dialogue"
READER, BOT = "builtin:reader", "openai:tiny-chat"


def question_finding(text="Where is the Eiffel Tower?", other="Where is teh EIFFEL Tower?", system=READER, **extra):
    context = {"context": "The Eiffel Tower stands in Paris. It was built in 1889.", "question": text}
    changed = {**context, "question": other}
    source = {"case": case("squad/0001", context), "response": response("Paris")}
    items = [follow_up(case("squad/0001#f1", changed), "1889", "squad/0001", ("add-typos", {"share": 0.1}))]
    shrunk = follow_up(
        case("squad/0001#s1", {**context, "question": text.replace("the", "teh")}),
        "1889",
        "squad/0001",
        ("add-typos", {"share": 0.05}),
    )
    return finding(system, QA, "add-typos", source, items, shrunk=shrunk, count=3, **extra)


def dialogue_finding(**extra):
    story = "Ann has a dog called Rex. Rex is brown. Ann lives in Oslo, by the harbour."
    asked = ("Who has a dog?", "What is it called?", "What colour is it?")
    source = {
        "case": case("coqa/7", *asked, replies=("Ann", "Rex"), material={"story": story}),
        "response": response("brown"),
    }
    shuffled = case(
        "coqa/7#drs", asked[1], asked[0], asked[2], replies=("Rex", "Ann"), annotations={"context": "equivalent"}
    )
    reduced = case("coqa/7#drr", asked[2], annotations={"context": "altered", "context_missing": ["dog"]})
    items = [
        follow_up(
            shuffled,
            "in Oslo",
            "coqa/7",
            ("shuffle-dialogue", {}),
            turn=2,
            role="equivalent",
            variant=(),
            origin=(1, 0, 2),
        ),
        follow_up(
            reduced,
            None,
            "coqa/7",
            ("reduce-dialogue", {"ratio": 0.3}),
            turn=0,
            role="altered",
            variant=(),
            origin=(2,),
        ),
    ]
    return finding(
        BOT, DIALOGUE, "equivalent-contexts-agree", source, items, turn=2, variant=(), confirmed=False, **extra
    )


def sample():
    """Two systems, two tasks, a dialogue finding, a FLAKY one, health warnings and MORTAR metrics."""
    second = question_finding("When was it built?", "When was it buil t?", system=BOT, confirmed=None)
    mortar = {
        "seeds": 500, "test_cases": 2015, "turns": 34627, "unanswerable": 12, "undecided_context": 44,
        "detections": {"mr1": 40100, "mr2": 9, "mr3": 2100, "mr4": 52, "total": 42261},
        "nbugs": 31942, "rate": 0.7558, "retc": 0.99, "bptc": 15.852,
        "levels": {"l1": 6819, "l2": 5756, "l3": 10}, "cv": 0.81, "cv_l1_l2": 0.120,
        "per_perturbation": {"DRS": 0.36, "DRR": 0.2}, "per_relation": {"mr1": 0.8, "mr3": 0.2},
    }  # fmt: skip
    return {
        "format": "mutatis/report",
        "version": 1,
        "run": {
            "id": "20261120-101500-ab12",
            "seed": 7,
            "config": {"seed": 7, "relations": ["add-typos"], "system": {"type": "builtin", "name": "reader"}},
            "versions": {"mutatis": "0.1.0", "python": "3.11.2"},
            "started": "2026-11-20T10:15:00Z",
            "finished": "2026-11-20T10:16:12Z",
            "queries": {"logical": 1200, "paid": 800, "errors": 3, "stored": 400},
            "tokens": {"prompt": 120000, "completion": 4100},
        },
        "summary": [
            row(READER, QA, "no-change", 300, 0, noise_floor=None, above_noise=None, interval=[0.0, 0.0122]),
            row(READER, QA, "add-typos", 200, 80, flaky=1, invalid=12),
            row(READER, QA, "uppercase", 290, 10, error=3),
            row(READER, QA, "paraphrase", 0, 0),
            row(BOT, QA, "no-change", 290, 10, noise_floor=None, above_noise=None),
            row(BOT, QA, "add-typos", 60, 240),
            row(BOT, QA, "uppercase", 250, 50),
            row(BOT, DIALOGUE, "equivalent-contexts-agree", 30, 70, flaky=1),
        ],
        "findings": [dialogue_finding(), question_finding(), second],
        "health": [
            {
                "name": "too-many-invalid",
                "subject": f"paraphrase on {READER}, {QA}",
                "message": "300 of 300 follow-ups are INVALID",
                "remedy": "look at the preconditions in verdicts.jsonl",
                "silence": 'silence = ["too-many-invalid"]',
            }
        ],
        "metrics": {"mortar": {"systems": {BOT: mortar}}},
        "examples": [{**question_finding("Where is it?", "WHERE is it?", outcome="satisfied"), "shrunk": None}],
    }  # fmt: skip


def verdict(finding, outcome="violated", **extra):
    """The line of verdicts.jsonl that belongs to a finding of the sample."""
    source = finding["source"]
    return {
        "system": finding["system"],
        "task": finding["task"],
        "relation": finding["relation"],
        "source": source["case"]["id"],
        "turn": source["turn"],
        "variant": list(finding["followups"][0]["derivation"]["variant"]),
        "draw": 0,
        "repeat": 0,
        "steps": [step["transformation"] for step in finding["followups"][0]["derivation"]["steps"]],
        "outcome": outcome,
        "score": finding["score"],
        "measure": finding["measure"],
        "thresholds": finding["thresholds"],
        "reason": finding["reason"],
        "undecided": False,
        "unchanged": False,
        "precondition": None,
        "finding": finding["id"],
        "reference": [],
        "source_input": source["case"]["turns"][source["turn"]]["fields"],
        "source_output": source["response"],
        "source_error": None,
        "followups": [
            {
                "case": item["case"]["id"],
                "derivation": item["derivation"],
                "turn": item["turn"],
                "role": item["role"],
                "input": item["case"]["turns"][item["turn"]]["fields"],
                "annotations": item["case"]["turns"][item["turn"]].get("annotations", {}),
                "output": item["response"],
                "error": None if item["response"] else "timed out",
            }
            for item in finding["followups"]
        ],
        **extra,
    }


def hostile():
    """The sample with every string replaced by hostile text, names of sections and numbers kept."""

    def spoil(value, key=""):
        if isinstance(value, dict):
            return {k: spoil(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [spoil(item, key) for item in value]
        if isinstance(value, str) and key not in ("format", "id", "confirmed", "outcome"):
            return HOSTILE + value
        return value

    report = spoil(sample())
    report["metrics"][HOSTILE] = {HOSTILE: HOSTILE, "rows": [{HOSTILE: 1.0}]}
    return report
