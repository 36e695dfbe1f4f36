"""Lexicons, and edits of words."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from mutatis.core.errors import UsageError
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.languages import listed
from mutatis.transformations import lexicon, pieces, wordnet, words

TEXT = "A huge throng bought the movie; it was a funny tale about the older man and nobody hated the brave doctors."


def made(name: str, text: str = TEXT, seed: int = 3, **parameters: object) -> str:
    return str(TRANSFORMATIONS[name].apply(text, rng=Random(seed), **parameters))


def test_the_lexicons_hold_more_than_500_entries() -> None:
    def entries(name: str) -> int:
        lines = [line.partition(": ")[2].split() for line in listed(name)]
        return len({word for line in lines for word in line})

    assert entries("synonyms") + entries("antonyms") >= 500
    assert len(lexicon.misspellings()) >= 150


def test_every_line_of_the_lexicons_is_well_formed() -> None:
    for name in ("synonyms", "antonyms"):
        for line in listed(name):
            kind, colon, rest = line.partition(": ")
            assert kind in {"a", "n", "v", "w", "r"}, line
            assert colon, line
            assert len(rest.split()) >= 2, line
            assert len(set(rest.split())) == len(rest.split()), line


def test_no_word_stands_for_itself_or_nothing() -> None:
    for table in (lexicon.synonyms(), lexicon.antonyms(), lexicon.misspellings()):
        for word, others in table.items():
            assert others
            assert word not in others


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("bought", "purchased"),
        ("errors", "mistakes"),
        ("jumping", "leaping"),
        ("wept", "cried"),
        ("love", None),
        ("top", None),
    ],
)
def test_words_are_replaced_in_their_form(word: str, expected: str | None) -> None:
    assert lexicon.synonyms().get(word) == (None if expected is None else (expected,))


def test_verbs() -> None:
    assert lexicon.verb_forms("try") == {
        "base": "try",
        "third": "tries",
        "past": "tried",
        "participle": "tried",
        "ing": "trying",
    }
    assert lexicon.verb_forms("stop", "stopped", "stopped")["ing"] == "stopping"
    assert lexicon.verb_forms("die")["ing"] == "dying"
    assert lexicon.verb_forms("agree")["ing"] == "agreeing"
    assert lexicon.verb_forms("go", "went", "gone")["third"] == "goes"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("synonyms-lexicon", 10), ("antonyms-lexicon", 5), ("random-keywords-rules", 11), ("capital-keywords-rules", 3)],
)
def test_how_many_words_at_a_full_share(name: str, expected: int) -> None:
    changed = [a for a, b in zip(TEXT.split(), made(name, share=1.0).split(), strict=True) if a != b]
    assert len([word for word in changed if word.lower() != "a"]) == expected, changed


@pytest.mark.parametrize("name", ["synonyms-lexicon", "antonyms-lexicon", "misspell", "random-keywords-rules"])
@pytest.mark.parametrize("seed", range(5))
def test_a_smaller_share_makes_some_of_the_same_edits(name: str, seed: int) -> None:
    def edits(share: float) -> set[tuple[int, str]]:
        new = made(name, seed=seed, share=share).split()
        return {(i, b) for i, (a, b) in enumerate(zip(TEXT.split(), new, strict=True)) if a != b}

    for smaller, larger in pairwise([edits(share) for share in (0.0, 0.2, 0.5, 0.8, 1.0)]):
        assert smaller <= larger


def test_articles_follow_their_word() -> None:
    assert made("synonyms-lexicon", "a huge bunny", seed=1, share=1.0) in {"an immense rabbit", "an enormous rabbit"}
    assert made("antonyms-lexicon", "An older house", share=1.0).startswith("A ")
    for article, word in (("a", "university"), ("an", "hour"), ("a", "European"), ("an", "umbrella"), ("a", "useful")):
        assert pieces.edited("a x", pieces.with_articles("a x", [(2, 3, word)])) == f"{article} {word}"


def test_letter_case_is_kept() -> None:
    assert made("synonyms-lexicon", "Movie or movie", share=1.0) == "Film or film"
    assert made("synonyms-lexicon", "NO MOVIE", share=1.0) == "NO FILM"


@pytest.mark.parametrize(
    "text",
    [
        "The Big Movie Company of Large Island",
        "King of the huge Queens Canyon",
        'He saw "the big movie" there.',
        "a movie-like tale-teller",
        "at least the best man",
    ],
)
def test_names_titles_and_fixed_terms_are_never_replaced(text: str) -> None:
    new = made("synonyms-lexicon", text, share=1.0)
    assert new == text
    assert made("antonyms-lexicon", text, share=1.0) == text


def test_antonyms_leave_alone_what_they_would_not_turn_round() -> None:
    for text in ("How old is it?", "He is not taller than her.", "Is it longer or shorter?", "It wasn't before."):
        assert made("antonyms-lexicon", text, share=1.0) == text
    assert made("antonyms-lexicon", "Who won before the largest war?").count("lost") <= 1


def test_numbers_and_short_words_are_key_words() -> None:
    assert made("remove-keywords-rules", "In 1921 the UK had 2 or two of 3.5 it.") == "In the had or of it."


def test_removed_key_words_take_their_blank_along() -> None:
    assert made("remove-keywords-rules", "Who wrote the play about the king?") == "Who the about the?"
    assert made("remove-keywords-rules", "The 1990s, Ann's well-known (and) (loud) years") == "The, (and)"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It is not as good as the first", "It is as as the first"),
        ("She would have been a star, but no more", "She have been a, more"),
        ("it 's the best of them", "it the of them"),
    ],
)
def test_words_that_turn_what_is_said_go_with_the_key_words(text: str, left: str) -> None:
    """Before, "not as as the" still said how good a film is."""
    assert made("remove-keywords-rules", text) == left


@pytest.mark.parametrize("text", ["Paris", "kids play baseball", '(Paris) "Rome"'])
def test_a_text_of_nothing_but_key_words_stays(text: str) -> None:
    """Before, the follow-up was an empty text."""
    assert made("remove-keywords-rules", text) == text


def test_emphasis_leaves_negated_and_graded_words_alone() -> None:
    for text in (
        "It is not good.",
        "It was n't funny.",
        "It wasn’t very funny.",
        "so good",
        "lack of a funny end",
        "mike good",
    ):
        assert made("emphasis-rules", text) == text
    assert made("emphasis-rules", "Good film.", seed=1) == "Truly good film."


def test_capitals_fall_back_on_the_longest_key_word() -> None:
    assert made("capital-keywords-rules", "The tram leaves downtown") == "The tram leaves DOWNTOWN"


def test_misspelling_rules_touch_long_words_only() -> None:
    assert words.misspellings_of("pier") == ()
    assert words.misspellings_of("priest") == ("preist",)
    assert words.misspellings_of("believe") == ("beleive",)


def test_wordnet_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet, "wordnet_folder", lambda: None)
    with pytest.raises(UsageError, match=r"-lexicon|nlp"):
        wordnet._reader.__wrapped__()


def test_wordnet_is_looked_for_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in wordnet._FILES:
        (tmp_path / name).touch()
    monkeypatch.setenv(wordnet.VARIABLE, str(tmp_path))
    assert wordnet.wordnet_folder() == tmp_path


@pytest.mark.skipif(not wordnet.wordnet_is_installed(), reason="WordNet's files are not installed")
def test_wordnet_keeps_forms() -> None:
    assert wordnet.with_synonyms("two cars", Random(1), share=1.0) in {
        "two automobiles",
        "two machines",
        "two autos",
        "two motorcars",
    }
    assert wordnet.with_synonyms("123 !?", Random(1), share=1.0) == "123 !?"
