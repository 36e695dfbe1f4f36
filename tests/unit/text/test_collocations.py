"""Words that belong together in a body of texts."""

from mutatis.assembly.blocks import collocations, standing_in

COMMON = {"my", "the", "a", "is", "i", "to"}
BANK = (
    "I lost my freedom card.",
    "Can I use the freedom card abroad?",
    "freedom card declined",
    "My card is lost.",
    "A new card, please.",
    "Where is my card?",
)


def test_a_name_in_lower_case_is_seen_by_its_words_standing_together() -> None:
    assert collocations(BANK, COMMON) == {("freedom", "card")}


def test_twice_is_chance_and_the_same_text_again_is_no_other_text() -> None:
    assert collocations([*BANK[:2], BANK[0], BANK[1], BANK[0]], COMMON) == frozenset()


def test_a_word_that_often_stands_alone_is_part_of_no_name() -> None:
    texts = [*BANK, "freedom for all", "I like freedom", "freedom, card games", "what is freedom"]
    assert collocations(texts, COMMON) == frozenset()


def test_pairs_are_told_as_they_are_written() -> None:
    pairs = {("freedom", "card"), ("air", "fryer")}
    assert standing_in("Freedom Card or freedom, card, or an air fryer?", pairs) == ("Freedom Card", "air fryer")
    assert standing_in("Nothing.", pairs) == ()
