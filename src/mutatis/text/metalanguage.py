"""Finds texts that would not keep their meaning in translation.

These are texts about language, texts that quote each other, and code. The module looks for English words and symbols.
When in doubt, it counts a text as one of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ABOUT_LANGUAGE = re.compile(
    r"""\b(?:
      words?|wording|wordplay|vocabulary|phras\w+|sentences?|paraphras\w+|rephras\w+|rewrit\w+|reword\w+|rewrote
    | grammar|grammatical\w*|syntax|syntactic\w*|nouns?|verbs?|adjectives?|adverbs?|pronouns?
    | prepositions?|conjunctions?
    | tenses?|plurals?|singular|prefix\w*|suffix\w*|syllables?|vowels?|consonants?|alphabet\w*|etymolog\w*
    | letters?|\d+\s+characters?|characters?\s+long|spell\w*|misspell\w*|typos?|punctuat\w*|commas?
    | apostrophes?|capitali[sz]\w*|(?:upper|lower)\s?case
    | rhym\w*|alliterat\w*|palindrom\w*|anagrams?|acronyms?|abbreviat\w*|puns?|riddles?|jokes?|idioms?|proverbs?
    | sayings?|clich\w+
    | metaphors?|similes?|onomatopoe\w*|tongue\s?-?twisters?|synonym\w*|antonym\w*|homonym\w*
    | homophon\w*|pronounc\w*|pronunciation
    | poems?|poetry|poetic|haikus?|limericks?|sonnets?|verses?|stanzas?|lyrics?|songs?|raps?
    | slogans?|taglines?|headlines?|hashtags?|titles?|nicknames?|lipogram\w*|quot\w+|terminology
    | (?:baby|brand|business|company|domain|first|last|pet|product|team)\s+names?|jargon|slang
    | tone|formal|formally|informal|informally|professional\s+(?:way|style)|professionally
    | proofread\w*|edit\w*|correct\s+(?:the|this|any|all|my|it|these)|corrections?
    | linguist\w*|languages?|translat\w*|bilingual
    | english|german|french|spanish|italian|dutch|portuguese|polish|turkish|latin|greek
    | russian|chinese|japanese|korean|arabic|hindi
    | defin(?:e|es|ed|ition|itions)\b|meanings?|mean\s+by|stands?\s+for
    | code|coding|program(?:s|med|ming)?|scripts?|functions?|algorithms?|regex\w*|regular\s+expressions?
    | sql|html|css|json|xml|yaml|python|javascript|java|bash|shell|compiler?|api|queries|query|latex|markdown|urls?
    )\b|c\+\+|c\#""",
    re.IGNORECASE | re.VERBOSE,
)
_CODE = re.compile(
    r"""```|</?[a-z][\w-]*+(?:\s[^<>]*+)?+>|[{};]\s*+$|\w\(\w*+\)|[=!<>]=|=>|->|\\[a-z]++\{|\w\[\w++\]""",
    re.MULTILINE | re.VERBOSE,
)
_STATEMENT = re.compile(
    r"\b(?:def|class|import|from|return|print|function|var|let|const|public|static|void|include|SELECT|INSERT)\b"
)
_SENTENCE_MARK = re.compile(r"[.?!]")
_STATEMENT_ENDS = tuple("(){};=:*")
_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e\u00ab\u00bb]|(?<!\w)['\u2018]\w.{0,80}?['\u2019](?!\w)"
    r"|\[[^\[\]A-Za-z]*+[A-Za-z][^\[\]]*+\]"
)
_IN_QUOTES = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb\n]++)[\"\u201c\u201d\u00bb]")
_LETTERS = re.compile(r"\w+")


def is_about_language(text: str) -> bool:
    """Return True if a text is about words, letters, grammar, rhymes, names, languages, programs or markup.

    >>> [is_about_language(text) for text in ("Find a rhyme for cat.", "How do bees fly?", "Say it in French.")]
    [True, False, True]
    >>> [is_about_language(text) for text in ("Write a Python function that adds.", "Name a metal.")]
    [True, False]
    """
    return _ABOUT_LANGUAGE.search(text) is not None


def quotes(text: str) -> bool:
    """Return True if a text contains a quotation, or a placeholder in brackets.

    >>> [quotes(text) for text in ('Explain "smart".', "Replace the [old] one.", "Don't wait.", "It is [1] or 2.")]
    [True, True, False, False]
    """
    return _QUOTED.search(text) is not None


def quote_each_other(texts: Sequence[str]) -> bool:
    """Return True if one of the texts quotes words that occur in another text.

    >>> quote_each_other(["Who was Ahab?", '"Ahab" is a captain.']), quote_each_other(["Hi.", '"Ho".'])
    (True, False)
    """
    plain = [" ".join(_LETTERS.findall(text.lower())) for text in texts]
    for number, text in enumerate(texts):
        spans = (" ".join(_LETTERS.findall(match[1].lower())) for match in _IN_QUOTES.finditer(text))
        others = plain[:number] + plain[number + 1 :]
        if any(span and f" {span} " in f" {other} " for span in spans for other in others):
            return True
    return False


def is_code(text: str) -> bool:
    r"""Return True if a text contains code, markup or formulas.

    >>> [is_code(text) for text in ("def f(x):\n    return x", "<b>Bold</b>", "The def of it (see it).", "1 < 2")]
    [True, True, False, False]
    """
    return _CODE.search(text) is not None or any(map(_is_statement, text.splitlines()))


def _is_statement(line: str) -> bool:
    """Return True if a line ends like a statement and its last sentence contains a programming-language keyword."""
    return line.rstrip().endswith(_STATEMENT_ENDS) and bool(_STATEMENT.search(_SENTENCE_MARK.split(line)[-1]))
