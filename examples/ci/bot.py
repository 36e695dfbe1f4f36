"""A small classifier with a fault that its team knows of: it cannot read capitals."""

GOOD = {"bright", "fast", "friendly", "happy", "love", "quiet", "solid", "tasty"}
BAD = {"broken", "cold", "dull", "late", "loud", "rude", "slow", "weak"}


def answer(text: str) -> str:
    words = [word.strip(".,;!?") for word in text.split()]
    score = sum(word in GOOD for word in words) - sum(word in BAD for word in words)
    return "positive" if score > 0 else "negative"
