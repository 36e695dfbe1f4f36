"""Checks both twins: run it as `python -m studies.languages.bots.swimming_pool.check`."""

from types import ModuleType

from studies.languages.bots.swimming_pool.de import bot as german
from studies.languages.bots.swimming_pool.en import bot as english

SHOWN: dict[str, tuple[list[str], list[str]]] = {
    "boundary": (["Can my 16-year-old daughter use the sauna?"], ["Darf meine 16-jährige Tochter schon in die Sauna?"]),
    "second_request_lost": (
        ["When are you open on Sunday, and how much is parking for 4 hours?"],
        ["Wann habt ihr am Sonntag offen, und was kostet Parken für 4 Stunden?"],
    ),
    "correction_ignored": (
        ["What does a birthday party for 12 children cost?", "Sorry, I meant 10 children."],
        ["Was kostet ein Kindergeburtstag mit 12 Kindern?", "Entschuldigung, ich meinte 10 Kinder."],
    ),
    "number_words": (["What do three towels cost to hire?"], ["Was kosten drei Handtücher zum Ausleihen?"]),
    "gives_in": (
        ["Can my son use the sauna? He is 15.", "But my friend says it is fine at 15."],
        ["Darf mein Sohn in die Sauna? Er ist 15.", "Mein Freund sagt aber, mit 15 geht das."],
    ),
    "negation_deaf": (
        ["When are you open? Not on Saturday, but on Sunday."],
        ["Wann habt ihr offen? Nicht am Samstag, sondern am Sonntag."],
    ),
    "holidays_forgotten": (["Are you open on 25 December 2027?"], ["Habt ihr am 25. Dezember 2027 geöffnet?"]),
    "month_first": (["When do you open on 05/03/2027?"], ["Wie lange ist am 05.03.2027 geöffnet?"]),
    "thanks_shadow": (["How much is the sauna? Thanks!"], ["Was kostet die Sauna? Danke!"]),
    "nearest_offer": (["Do you rent out goggles?"], ["Verleiht ihr Schwimmbrillen?"]),
}


def check_faults() -> None:
    """Each fault shows in both languages, and none is on by default."""
    for position, twin in enumerate((english, german)):
        assert set(twin.FAULTS) == set(SHOWN)
        for fault, pair in SHOWN.items():
            right = twin.reply(pair[position])
            wrong = twin.reply(pair[position], faults=[fault])
            assert right.meaning != wrong.meaning, (fault, pair[position])
            others = [name for name in twin.FAULTS if name != fault]
            assert right == twin.reply(pair[position], faults=()), fault
            hidden = [m for m in twin.MESSAGES if twin.reply([m]).meaning == twin.reply([m], faults=[fault]).meaning]
            assert len(hidden) > 25, (fault, len(hidden))
            assert len(others) == 9


def check_messages(twin: ModuleType) -> None:
    """Every message is understood; the same call gives the same reply; a draw changes words only."""
    assert len(twin.MESSAGES) == len(set(twin.MESSAGES)) == 50
    for message in twin.MESSAGES:
        first = twin.reply([message])
        assert not {fact[0] for fact in first.meaning} & {"not_understood", "how_help", "welcome"}, message
        assert first == twin.reply([message])
        drawn = [twin.reply([message], draw=draw) for draw in range(12)]
        assert {reply.meaning for reply in drawn} == {first.meaning}
        assert len({reply.text for reply in drawn}) > 2, message
    assert twin.reply(["blurp fnord"]).meaning == {("not_understood",)}


def check_twins() -> None:
    """The same matters mean the same in both languages, without faults and with each."""
    for left, right in zip(english.MESSAGES, german.MESSAGES, strict=True):
        assert english.reply([left]).meaning == german.reply([right]).meaning, (left, right)
    for left_turns, right_turns in SHOWN.values():
        assert english.reply(left_turns).meaning == german.reply(right_turns).meaning, left_turns


def main() -> None:
    """All checks."""
    check_faults()
    check_messages(english)
    check_messages(german)
    check_twins()
    print("all checks hold")


if __name__ == "__main__":
    main()
