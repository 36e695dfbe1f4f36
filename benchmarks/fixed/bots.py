"""The systems of the fixed runs: short rules of their own, so that no change of the package changes an answer."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

FAQ = {
    "block": ("Yes, you can block it at any time.", "Sure: a card can be blocked day and night, on Sundays too."),
    "replacement": ("A replacement card costs 9.10 EUR.", "You pay 9.10 EUR for a replacement."),
    "open": ("We open at 9:00 on Monday.", "On Monday the branch is open from 9:00 to 17:00."),
    "limit": ("The daily limit is 200 EUR.", "You can spend up to 200 EUR a day at that age."),
    "close": ("Write to us, and we close it within 14 days.", "It is closed within 14 days of your letter."),
    "fee": ("No, paying abroad is free.", "There is no fee for that."),
    "salary": ("Only you can see it.", "Nobody but you sees your salary."),
    "friend": ("Yes, you get 20 EUR for each friend.", "You do: 20 EUR for every friend."),
}
LABELS = {"lost": "lost card", "transfer": "failed transfer", "rate": "exchange rate", "address": "change address"}
SAID = {"born": "place of birth", "works": "employer", "married": "spouse", "wife": "spouse"}


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return re.findall(r"[a-z0-9]+", text.lower())


def wording(text: str, choices: Sequence[str]) -> str:
    """Return one of several wordings, by the length of the question."""
    return choices[len(words(text)) % len(choices)]


def bank(message: str) -> str:
    """Answer a question to a bank; what is in capitals is not understood, and urgency shortens the fee away."""
    if message.isupper():
        return "Sorry, I did not understand that."
    asked = set(words(message))
    if "urgent" in asked and "fee" in asked:
        return "Yes, 3 EUR."
    topic = next((key for key in FAQ if key in asked), None)
    return "I do not know. Please ask at the counter." if topic is None else wording(message, FAQ[topic])


def inn(messages: Sequence[Mapping[str, str]]) -> str:
    """Answer in a dialogue with an inn: what "it" costs depends on what was asked before."""
    said = [message["content"] for message in messages if message["role"] == "user"]
    now, before = set(words(said[-1])), set(words(" ".join(said[:-1])))
    if now & {"much", "price", "cost"}:
        return "It is 12 euros a night." if before & {"park", "van", "parking"} else "Two nights are 180 euros."
    if "breakfast" in now:
        return wording(said[-1], ("Yes, breakfast is included.", "It is, from 7 to 10."))
    if now & {"park", "parking", "van"}:
        return "Yes, behind the house."
    return wording(said[-1], ("Yes, we have a room on that day.", "A room is free then."))


def reader(fields: Mapping[str, str]) -> str:
    """Answer with what follows the last word that text and question share."""
    asked = {word for word in words(fields["question"]) if len(word) > 3}
    text = fields.get("context") or fields.get("passages") or fields.get("story", "")
    parts = text.split()
    shared = [place for place, word in enumerate(parts[:-3]) if asked & set(words(word))]
    return " ".join(parts[shared[-1] + 1 : shared[-1] + 4]).strip(".,") if shared else "unknown"


def entails(fields: Mapping[str, str]) -> str:
    """Say what the share of known words suggests."""
    premise, claim = set(words(fields["premise"])), set(words(fields["hypothesis"]))
    if claim & {"not", "no", "nobody", "never"}:
        return "contradiction"
    return "entailment" if len(claim & premise) * 2 >= len(claim) else "neutral"


def intent(fields: Mapping[str, str]) -> str:
    """Name the first label of which a word stands in the text."""
    asked = words(fields["text"])
    return next((LABELS[word] for word in asked if word in LABELS), "lost card")


def relation(fields: Mapping[str, str]) -> str:
    """Name the relation by the verb."""
    return next((SAID[word] for word in words(fields["text"]) if word in SAID), "no relation")


def agent(fields: Mapping[str, str], tools: Sequence[Mapping[str, Any]]) -> Any:
    """Call a tool by its name's first word; the number of people is the first number."""
    message = fields["message"]
    names = {str((tool.get("function") or tool)["name"]): tool for tool in tools}
    asked = set(words(message))
    if "cancel" in asked and "cancel_table" in names:
        code = re.search(r"\b[A-Z]{2}\d+\b", message)
        return {"calls": [{"name": "cancel_table", "arguments": {"code": code.group() if code else ""}}]}
    if "book" in asked and "book_table" in names:
        number, day = re.search(r"\d+", message), re.search(r"Monday|Friday|Saturday", message)
        arguments = {"people": int(number.group()) if number else 2, "day": day.group() if day else "Monday"}
        return {"calls": [{"name": "book_table", "arguments": arguments}]}
    return "Glad to hear from you."


def judge(fields: Mapping[str, str]) -> str:
    """Prefer the answer with more numbers, then the longer one: swayed by length, as many judges are."""
    sides = [(len(re.findall(r"\d+", fields[name])), len(fields[name]) // 20) for name in ("answer_a", "answer_b")]
    if sides[0] == sides[1]:
        return fields.get("tie", "tie")
    return fields.get("label_a", "A") if sides[0] > sides[1] else fields.get("label_b", "B")


def score(fields: Mapping[str, str]) -> str:
    """Score by digits and length."""
    return str(min(10, 2 + 3 * len(re.findall(r"\d+", fields["answer"])) + len(words(fields["answer"])) // 6))


def moderator(fields: Mapping[str, str]) -> str:
    """Block a text with a bad word, as it is written."""
    return "blocked" if set(words(fields["text"])) & {"idiot", "hurt", "kill", "killed"} else "allowed"


def total(fields: Mapping[str, str]) -> str:
    """Add up all numbers of a problem."""
    return str(sum(int(number) for number in re.findall(r"\d+", fields["question"])))


def choose(fields: Mapping[str, str]) -> str:
    """Choose by heart, else the first option."""
    options = dict(re.findall(r"(\w)[).] *(\w+)", fields["options"]))
    return next((letter for letter, text in options.items() if text.lower() in ("jupiter", "honey")), "A")


def bill(fields: Mapping[str, str]) -> str:
    """Return number and amount of a bill as JSON."""
    text = fields["text"]
    number, amount = re.search(r"\b\d{4}\b", text), re.search(r"[\d.]+(?= EUR)", text)
    data = {"number": number and number.group(), "amount": amount and float(amount.group())}
    return json.dumps(data)
