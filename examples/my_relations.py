"""A relation of one's own: a courteous phrase in front of a question must not change its answer.

    mutatis run --system function:my_bot.py:answer --data jsonl:FILE --task question-answering \
        --set 'load=["my_relations.py"]' --relations courtesy
"""

from random import Random

from mutatis import relation, transformation

PHRASES = ("Please", "If you would be so kind", "When you have a minute")
QUESTION = {"question-answering": (("question",),)}


@transformation("courtesy", capability="manner of speaking", says="a courtesy added")
def courtesy(text: str, rng: Random, *, closing: bool = False) -> str:
    """Put a courteous phrase in front of the text."""
    return f"{rng.choice(PHRASES)}: {text}" + (" Thank you." if closing else "")


relation("courtesy", output_relation="equal", tasks=["question-answering"], variants=QUESTION)
