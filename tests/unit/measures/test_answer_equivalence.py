"""Every line of the specification's table, and the properties, for the judges without and with embeddings."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.measures import equivalence, judge
from mutatis.measures.answer import read
from mutatis.measures.polar import yes_or_no
from mutatis.text import embedder

needs_model = pytest.mark.skipif(not embedder.embedder_is_installed(), reason="the semantic extra is not installed")
NAMES = ["answer-equivalence-lexical", pytest.param("answer-equivalence", marks=needs_model)]


@pytest.fixture(params=NAMES, scope="module")
def judging(request: pytest.FixtureRequest) -> Judge:
    return judge(request.param)


def score(judging: Judge, first: str, second: str, question: str = "", *, directed: bool = False) -> Similarity:
    comparison = Comparison(reference=(first,), answer=second, question=question, directed=directed)
    return next(iter(judging.measure.compare([comparison])))


CANDIDATES = "It could be Paris, Lyon, Marseille, Nice, Toulouse or Bordeaux."
LISTED = "Cities that come into question include Lyon, Marseille, Paris, Nice, Toulouse and Bordeaux."
PARAGRAPH = (
    "The capital of France is Paris. It lies on the river Seine and has been the seat of government for centuries. "
    "Visitors come for its museums, its food and its architecture."
)

SAME = [
    ("Yes", "Yes, they did."),
    ("Yes", "yes it does, because it was raining"),
    ("12", "twelve"),
    ("1,200", "1200"),
    ("3.5 million", "3,500,000"),
    ("50 %", "half"),
    ("J. K. Rowling", "Rowling"),
    ("J. K. Rowling", "Joanne Rowling"),
    ("Rowling", "Joanne Rowling"),
    ("in 1996", "June 12, 1996"),
    ("the US", "United States of America"),
    ("UK", "Great Britain"),
    ("Paris", PARAGRAPH),
    ("unknown", "I don't know."),
    ("unknown", "The text does not say."),
    ("The text does not say.", "There is no information about the war."),
    ("red and blue", "blue and red"),
]
DIFFERENT = [
    ("Yes", "No, they did not."),
    ("did end", "did not end"),
    ("The war did end.", "The war did not end."),
    ("1993", "1939"),
    ("Paris", "Lyon"),
    ("capital of France", "capital of Italy"),
    ("no", "unknown"),
    ("", "Paris"),
    ("a", "The capital is Paris"),
    ("red", "red and blue"),
    ("Paris", "I can't help with that."),
    ("Paris", "unknown"),
]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("first", "second"), SAME)
def test_same(judging: Judge, first: str, second: str, directed: bool) -> None:
    assert score(judging, first, second, directed=directed).score >= judging.equal
    assert score(judging, second, first).score >= judging.equal


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different(judging: Judge, first: str, second: str, directed: bool) -> None:
    assert score(judging, first, second, directed=directed).score < judging.different
    assert score(judging, second, first, directed=directed).score < judging.different


def test_a_vaguer_answer_is_accepted_only_where_the_reference_is_the_vague_one(judging: Judge) -> None:
    assert score(judging, "in 1996", "June 12, 1996", directed=True).score >= judging.equal
    assert score(judging, "June 12, 1996", "in 1996", directed=True).score < judging.different


@pytest.mark.parametrize("paragraph", [CANDIDATES, LISTED])
def test_a_paragraph_of_candidates_is_no_answer(judging: Judge, paragraph: str) -> None:
    question = "Where did the first one open?"
    assert score(judging, "Paris", paragraph, question, directed=True).score < judging.different
    assert score(judging, "Paris", paragraph, directed=True).score < judging.different


def test_a_paragraph_that_contradicts_is_different(judging: Judge) -> None:
    question = "What is the capital of France?"
    assert score(judging, "Paris", PARAGRAPH, question, directed=True).score >= judging.equal
    assert score(judging, "Lyon", PARAGRAPH, question, directed=True).score < judging.different


def test_a_refusal_is_named(judging: Judge) -> None:
    assert "refusal" in score(judging, "Paris", "I can't help with that.").reason
    assert "refusal" in score(judging, "unknown", "I'm sorry, but I can't assist with that.").reason


def test_reasons(judging: Judge) -> None:
    assert score(judging, "1993", "1939").reason == "numbers differ: 1993 / 1939"
    assert score(judging, "1993", "1939", directed=True).reason == "numbers differ: 1993 / 1939"
    assert score(judging, "unknown", "I don't know.").reason == "both abstain"
    assert score(judging, "Paris", PARAGRAPH, "What is the capital of France?", directed=True).reason == (
        "answer contained, no contradiction"
    )


def test_reasons_quote_words_and_no_stems(judging: Judge) -> None:
    lost = "Sorry, unable to help with batteries."
    told = score(judging, "The lamp costs 49 euros.", lost, "What does the lamp cost?").reason
    assert told == "not found in the other answer: sorry, unable, help, batteries"


def test_words_of_the_question_are_no_evidence(judging: Judge) -> None:
    question = "Which river flows through the old town of Marbury?"
    first = "The river that flows through the old town of Marbury is the Tamlow."
    second = "The river that flows through the old town of Marbury is the Ebrin."
    assert score(judging, first, second, question).score < judging.different
    assert score(judging, first, "the Tamlow", question).score >= judging.equal
    assert score(judging, "Tamlow", second, question, directed=True).score < judging.different


def test_several_accepted_answers(judging: Judge) -> None:
    comparison = Comparison(reference=("Scorpio", "Skorpio"), answer="She is a Skorpio.", directed=True)
    assert next(iter(judging.measure.compare([comparison]))).score >= judging.equal


def test_of_several_accepted_answers_the_most_similar_one_counts(judging: Judge) -> None:
    close, far, answer = "a big storm destroyed the roof", "some people went home", "the roof was destroyed by a storm"
    assert score(judging, far, answer, directed=True).score < judging.different
    for reference in ((close, far), (far, close)):
        comparison = Comparison(reference=reference, answer=answer, directed=True)
        assert next(iter(judging.measure.compare([comparison]))).score >= judging.equal


@pytest.mark.parametrize(
    ("question", "reference", "answer", "same"),
    [
        ("Did the war end?", "yes", "The war ended in spring.", True),
        ("Did the war end?", "no", "The war did not end.", True),
        ("Did the war end?", "no", "The war ended in spring.", False),
        ("Did the war end?", "no", "The war ended in spring. Some soldiers did not come home.", False),
        ("Did the war end?", "yes", "It did.", True),
        ("Did the war end?", "yes", "It didn't.", False),
        ("Did they know whether or not it was over?", "yes", "They knew that it was over.", True),
        ("Did they know whether or not it was over?", "no", "They knew that it was over.", False),
    ],
)
def test_yes_and_no_by_implication(judging: Judge, question: str, reference: str, answer: str, same: bool) -> None:
    similarity = score(judging, reference, answer, question, directed=True).score
    assert (similarity >= judging.equal) is same


PREAMBLE = (
    "As an AI language model, I do not have access to real-time data. However, as of 2021, the mayor was Ada Low."
)


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Who is mayor of Marbury?", "Ada Low", PREAMBLE),
        ("How many people live there?", "11.5 million", "11 . 5 million people live there."),
        ("When did they last win?", "1979-80", "They won it in the 1979\u20131980 season."),
        ("When did they last win?", "the 1979 -- 80 season", "In the 1979-80 season."),
        ("When does the museum open?", "In 2020", "It is scheduled to open in 2020, and building began in 2016."),
        (
            "Which album holds the song?",
            "It is on the album Blue Boats, which came out in 2009.",
            "The album Blue Boats by Ada Low, her 3rd, holds the song.",
        ),
        (
            "When was the park opened?",
            "The park was opened on December 6, 1987.",
            "The park was opened in 1987 and enlarged in 1997, when a lake was added.",
        ),
    ],
)
def test_two_outputs_that_give_the_same_with_other_details(
    judging: Judge, question: str, first: str, second: str
) -> None:
    assert score(judging, first, second, question).score >= judging.equal
    assert score(judging, second, first, question).score >= judging.equal


RING = "The square is called a ring because spectators once stood in a circle around the fighters."
RING_ANEW = "Fights used to be held in a round area that was drawn on the ground, hence the word."


def test_two_accounts_in_other_words_are_open_and_two_names_are_not(judging: Judge) -> None:
    similarity = score(judging, RING, RING_ANEW, "Why is the site of a boxing match called a ring?")
    assert (similarity.score, similarity.open) == (0.5, True)
    assert similarity.reason.startswith("an account may be worded in many ways: not found in the other answer:")
    named = score(judging, RING, RING_ANEW, "Which word names the site of a boxing match?")
    assert not named.open
    annotated = score(judging, RING, RING_ANEW, "Why is the site of a boxing match called a ring?", directed=True)
    assert not annotated.open


def test_a_reply_that_declines_and_answers_is_judged_by_its_answer(judging: Judge) -> None:
    question = "Which novel is about a society without books?"
    refusing = "I can't discuss that society, as reading is illegal in it. The novel is Fahrenheit 451."
    assert "refusal" not in score(judging, "Fahrenheit 451", refusing, question).reason


def test_values_that_are_no_text(judging: Judge) -> None:
    made = judging.measure.compare(
        [Comparison(reference=(["red", "blue"],), answer=None), Comparison(reference=(), answer=3)]
    )
    assert [similarity.score for similarity in made] == [0.0, 0.0]


ODD = ["", " ", "\x00\x07", "👍", "👍👎", "مرحبا", "北京", "\ud800", "🇫🇷", "a" * 5000, "...", "¿?", "नमस्ते", "1" * 400]


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_equal_themselves_and_are_no_error(judging: Judge, text: str) -> None:
    assert score(judging, text, text).score == 1.0
    assert score(judging, text, "Paris").score < judging.different or not text
    assert score(judging, text, "Paris") == score(judging, text, "Paris")


def test_other_scripts(judging: Judge) -> None:
    assert score(judging, "北京", "首都是北京。", directed=True).score >= judging.equal
    assert score(judging, "北京", "上海").score < judging.different
    assert score(judging, "👍", "👎").score < judging.different
    assert score(judging, "Москва", "москва.").score == 1.0


def test_a_very_long_text_is_read_in_part(judging: Judge) -> None:
    long = "Paris is a city. " * 60_000
    assert score(judging, "Paris", long, directed=True).score >= 0.0
    assert score(judging, long, long).score == 1.0


LEXICAL = judge("answer-equivalence-lexical")
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("yes", "yes, for it was raining in Lyon", (0.97, "both say yes")),  # one of them says no more than that
        ("no, Mary painted it herself", "no", (0.97, "both say no")),
        ("yes, in the red house", "yes, in the blue house", None),  # what each adds may differ: not certain
        ("yes", "no, in Lyon", (0.02, "yes against no")),
    ],
)
def test_yes_and_yes_are_certain_where_one_says_no_more(first: str, second: str, told: tuple[float, str] | None):
    decided = yes_or_no(read(first), read(second), read(""))
    assert (decided and (decided.score, decided.reason)) == told


WORDS = "the red blue Paris Lyon not no yes 12 twelve 1996 June and or , . did Rowling J. unknown 50 %"
WORDY = st.lists(st.sampled_from(WORDS.split(" ")), max_size=7).map(" ".join)


@settings(deadline=None)
@given(ANY_TEXT | WORDY)
def test_reflexive(text: str) -> None:
    assert score(LEXICAL, text, text).score == 1.0
    assert score(LEXICAL, text, text, directed=True).score == 1.0


@settings(deadline=None)
@given(ANY_TEXT | WORDY, ANY_TEXT | WORDY, WORDY)
def test_symmetric_where_undirected(first: str, second: str, question: str) -> None:
    assert score(LEXICAL, first, second, question).score == score(LEXICAL, second, first, question).score


WORD = st.sampled_from(["a", "big", "blue", "may", "not", "5", "7", "card", "pen", "pdf", "dog", "dvd", "Joe", "JFK"])
SAME_OR_ANOTHER = st.tuples(WORD, WORD) | WORD.map(lambda word: (word, word))


@settings(deadline=None)
@example([("bring", "bring"), ("a", "a"), ("pen", "pdf")], "")  # of three letters, either could be initials
@given(st.lists(SAME_OR_ANOTHER, min_size=1, max_size=6), WORDY)
def test_of_two_outputs_the_same_words_are_exchanged_in_either_order(pairs: list[tuple[str, str]], question: str):
    first, second = (" ".join(words) for words in zip(*pairs, strict=True))
    forth = equivalence.prepare(Comparison(reference=(first,), answer=second, question=question))
    back = equivalence.prepare(Comparison(reference=(second,), answer=first, question=question))
    if isinstance(forth, Similarity) or isinstance(back, Similarity):
        assert isinstance(forth, Similarity)
        assert isinstance(back, Similarity)
        assert (forth.score, forth.open) == (back.score, back.open)
    else:
        assert forth.row == back.row
        assert set(map(frozenset, forth.exchanged)) == set(map(frozenset, back.exchanged))


@settings(deadline=None)
@example("red red red red red and red", "red", "", False)
@example("no", "did", "did", False)  # a question of one word
@given(WORDY, WORDY, WORDY, st.booleans())
def test_case_space_and_final_punctuation_do_not_matter(first: str, second: str, question: str, directed: bool) -> None:
    plain = score(LEXICAL, first, second, question, directed=directed).score
    assert score(LEXICAL, first.upper(), second, question, directed=directed).score == plain
    assert score(LEXICAL, first, f"  {second.lower()} \n", question, directed=directed).score == plain
    assert score(LEXICAL, first, second + "!", question, directed=directed).score == plain


@settings(deadline=None)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, st.booleans())
def test_never_raises_and_scores_lie_in_range(first: str, second: str, question: str, directed: bool) -> None:
    similarity = score(LEXICAL, first, second, question, directed=directed)
    assert 0.0 <= similarity.score <= 1.0
    assert similarity.reason
    assert "\n" not in similarity.reason


ANY = "Give a year in the reign of King Stephen."
DATE = "Project SCORE, the world's first communications satellite, was launched when?"


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "question"),
    [
        ("1135-1154", "A year in the reign of King Stephen was 1141.", ANY),
        ("1141", "1136", "Please tell me any year in the reign of King Stephen."),
        ("red", "white", "Name a colour of the flag of Poland."),
    ],
)
def test_two_answers_to_a_question_for_any_one_of_several_are_left_open(
    judging: Judge, first: str, second: str, question: str, directed: bool
) -> None:
    similarity = score(judging, first, second, question, directed=directed)
    assert similarity.score == 0.5
    assert "any one of several" in similarity.reason


@pytest.mark.parametrize("question", ["Give the year of the reign.", "In a year of war, who was king?", ""])
def test_a_question_for_one_thing_is_not_left_open(judging: Judge, question: str) -> None:
    assert score(judging, "1135", "1141", question).score < 0.3


def test_the_same_answer_to_a_question_for_any_one_of_several_is_the_same(judging: Judge) -> None:
    assert score(judging, "1141", "A year in the reign of King Stephen was 1141.", ANY).score > 0.7


def test_a_number_that_the_question_names_is_not_asked_for(judging: Judge) -> None:
    long = "Project SCORE, the world's first communications satellite, was launched in 1958."
    assert score(judging, long, "Project SCORE was launched on December 18, 1958.", DATE).score >= 0.5
    assert score(judging, long, "Project SCORE was launched on December 18, 1968.", DATE).score < 0.3


def test_equal_answers_are_the_same_without_any_evidence_being_weighed(monkeypatch):
    def weighed(*_: object) -> None:
        raise AssertionError("evidence was looked for")

    monkeypatch.setattr(equivalence, "compare_answers", weighed)
    pairs = [Comparison(reference=("the Volga",), answer="The Volga.", directed=directed) for directed in (True, False)]
    assert [equivalence.prepare(pair).reason for pair in pairs] == ["the same words"] * 2


def test_a_pair_is_weighed_once_however_often_it_is_judged(monkeypatch):
    weigh, weighed = equivalence.compare_answers, []
    monkeypatch.setattr(equivalence, "compare_answers", lambda *texts: (weighed.append(1), weigh(*texts))[1])
    pair = Comparison(reference=("on the quay by the mill",), answer="near the old lighthouse", question="Where?")
    assert len({id(equivalence.prepare(pair)) for _ in range(5)}) == 1
    assert len(weighed) == 2  # one for each direction
