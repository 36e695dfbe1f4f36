"""Checks the five twins: run it as `python -m studies.languages.bots.swimming_pool.check`."""

from types import ModuleType

from studies.languages.bots.swimming_pool.de import bot as german
from studies.languages.bots.swimming_pool.en import bot as english
from studies.languages.bots.swimming_pool.es import bot as spanish
from studies.languages.bots.swimming_pool.fr import bot as french
from studies.languages.bots.swimming_pool.zh import bot as chinese

SHOWN: dict[str, tuple[list[str], ...]] = {
    "boundary": (
        ["Can my 16-year-old daughter use the sauna?"],
        ["Darf meine 16-jährige Tochter schon in die Sauna?"],
        ["¿Puede entrar en la sauna mi hija de 16 años?"],
        ["Ma fille de 16 ans peut-elle aller au sauna ?"],
        ["我16岁的女儿可以进桑拿房吗？"],
    ),
    "second_request_lost": (
        ["When are you open on Sunday, and how much is parking for 4 hours?"],
        ["Wann habt ihr am Sonntag offen, und was kostet Parken für 4 Stunden?"],
        ["¿Cuándo abren el domingo y cuánto cuesta aparcar 4 horas?"],
        ["Quand ouvrez-vous dimanche et combien coûte le parking pour 4 heures ?"],
        ["周日几点开门，停车4小时多少钱？"],
    ),
    "correction_ignored": (
        ["What does a birthday party for 12 children cost?", "Sorry, I meant 10 children."],
        ["Was kostet ein Kindergeburtstag mit 12 Kindern?", "Entschuldigung, ich meinte 10 Kinder."],
        ["¿Cuánto cuesta una fiesta de cumpleaños con 12 niños?", "Perdón, quería decir 10 niños."],
        ["Combien coûte une fête d'anniversaire pour 12 enfants ?", "Pardon, je voulais dire 10 enfants."],
        ["12个孩子的生日派对多少钱？", "不对，我说的是10个孩子。"],
    ),
    "number_words": (
        ["What do three towels cost to hire?"],
        ["Was kosten drei Handtücher zum Ausleihen?"],
        ["¿Cuánto cuesta alquilar tres toallas?"],
        ["Combien coûte la location de trois serviettes ?"],
        ["租三条毛巾多少钱？"],
    ),
    "gives_in": (
        ["Can my son use the sauna? He is 15.", "But my friend says it is fine at 15."],
        ["Darf mein Sohn in die Sauna? Er ist 15.", "Mein Freund sagt aber, mit 15 geht das."],
        ["¿Mi hijo puede entrar en la sauna? Tiene 15.", "Pues mi amigo dice que con 15 se puede."],
        ["Mon fils peut-il aller au sauna ? Il a 15 ans.", "Mais mon ami dit qu'à 15 ans c'est possible."],
        ["我儿子可以进桑拿房吗？他15岁。", "可是我朋友说15岁可以。"],
    ),
    "negation_deaf": (
        ["When are you open? Not on Saturday, but on Sunday."],
        ["Wann habt ihr offen? Nicht am Samstag, sondern am Sonntag."],
        ["¿Cuándo abren? No el sábado, sino el domingo."],
        ["Vous ouvrez quand ? Pas samedi, mais dimanche."],
        ["几点开门？不是周六，是周日。"],
    ),
    "holidays_forgotten": (
        ["Are you open on 25 December 2027?"],
        ["Habt ihr am 25. Dezember 2027 geöffnet?"],
        ["¿Abren el 25 de diciembre de 2027?"],
        ["Êtes-vous ouverts le 25 décembre 2027 ?"],
        ["2027年12月25日开门吗？"],
    ),
    "month_first": (
        ["When do you open on 05/03/2027?"],
        ["Wie lange ist am 05.03.2027 geöffnet?"],
        ["¿Qué horario tienen el 05/03/2027?"],
        ["Quels sont les horaires le 05/03/2027 ?"],
        ["2027/3/5几点开门？"],
    ),
    "thanks_shadow": (
        ["How much is the sauna? Thanks!"],
        ["Was kostet die Sauna? Danke!"],
        ["¿Cuánto cuesta la sauna? ¡Gracias!"],
        ["Combien coûte le sauna ? Merci !"],
        ["桑拿多少钱？谢谢！"],
    ),
    "nearest_offer": (
        ["Do you rent out goggles?"],
        ["Verleiht ihr Schwimmbrillen?"],
        ["¿Alquilan gafas de natación?"],
        ["Est-ce que vous louez des lunettes de natation ?"],
        ["你们有泳镜出租吗？"],
    ),
}
TWINS = (english, german, spanish, french, chinese)


def check_faults() -> None:
    """Each fault shows in every language, and none is on by default."""
    for position, twin in enumerate(TWINS):
        assert set(twin.FAULTS) == set(SHOWN)
        for fault, turns in SHOWN.items():
            right = twin.reply(turns[position])
            wrong = twin.reply(turns[position], faults=[fault])
            assert right.meaning != wrong.meaning, (fault, turns[position])
            others = [name for name in twin.FAULTS if name != fault]
            assert right == twin.reply(turns[position], faults=()), fault
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
    """The same matters mean the same in all languages."""
    for twin in TWINS[1:]:
        for left, right in zip(english.MESSAGES, twin.MESSAGES, strict=True):
            assert english.reply([left]).meaning == twin.reply([right]).meaning, (left, right)
    for turns in SHOWN.values():
        meanings = {twin.reply(said).meaning for twin, said in zip(TWINS, turns, strict=True)}
        assert len(meanings) == 1, turns


def main() -> None:
    """All checks."""
    check_faults()
    for twin in TWINS:
        check_messages(twin)
    check_twins()
    print("all checks hold")


if __name__ == "__main__":
    main()
