"""Chinese by its folder: what is read, written, asked and judged in it. Every expected text was written by hand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import mutatis
import mutatis.relations  # noqa: F401 - fills the registries
from mutatis.core.measure import Comparison, QuestionReplies, Repertoire, ReplyBlock, WordedReply
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.dictionary import limits_of
from mutatis.measures.by_folder import compare_by_folder, content_words, negations_in
from mutatis.measures.facts import facts, masked_reply, same_fact
from mutatis.measures.repertoire import RepertoireMeasure, vectors_of_words
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.by_folder import side_at, side_in, without_courtesy
from mutatis.text.refusals import is_refusal
from mutatis.text.segments import segmented_words
from mutatis.text.values import values, whole_value
from mutatis.transformations.interruptions import asks_one_thing
from mutatis.transformations.together import asks_value


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("12.50元", "amount", ("yuan", 12.5)),
        ("12块5", "amount", ("yuan", 12.5)),
        ("¥1,250", "amount", ("yuan", 1250.0)),
        ("一千二百元", "amount", ("yuan", 1200.0)),
        ("三十万元", "amount", ("yuan", 300000.0)),
        ("人民币5元", "amount", ("yuan", 5.0)),
        ("9欧元", "amount", ("euro", 9.0)),
        ("下午3点半", "time", ("time of day", 930.0)),
        ("晚上八点", "time", ("time of day", 1200.0)),
        ("15:30", "time", ("time of day", 930.0)),
        ("９：３０", "time", ("time of day", 570.0)),
        ("下午三点一刻", "time", ("time of day", 915.0)),
        ("中午12点", "time", ("time of day", 720.0)),
        ("2027年3月12日", "date", ("date", 2027.0, 3.0, 12.0)),
        ("三月十二号", "date", ("date", 0.0, 3.0, 12.0)),
        ("2027-03-12", "date", ("date", 2027.0, 3.0, 12.0)),
        ("星期三", "date", ("weekday", 2.0)),
        ("礼拜天", "date", ("weekday", 6.0)),
        ("1米15", "quantity", ("length", 1.15)),
        ("一米二", "quantity", ("length", 1.2)),
        ("百分之十", "quantity", ("percent", 0.1)),
        ("三斤", "quantity", ("mass", 1.5)),
        ("3千克", "quantity", ("mass", 3.0)),
        ("一个半小时", "duration", ("time", 5400.0)),
        ("2小时30分钟", "duration", ("time", 9000.0)),
        ("3个月", "duration", ("months", 3.0)),
        ("十八岁", "age", ("age", 216.0)),
        ("两位", "number", ("count", 2.0)),
        ("北京", "name", ("name", "北京")),
    ],
)
def test_a_value_is_read_between_other_characters(text: str, kind: str, key: tuple[object, ...]) -> None:
    [value] = values(f"一共是{text}，谢谢。", "zh")
    assert (value.kind, value.key) == (kind, key)


@pytest.mark.parametrize(
    "text",
    [
        "一般来说可以。",
        "第一次来。",
        "我们一起去。",
        "一定统一。",
        "十分满意。",
        "早一点好。",
        "三明治好吃。",
        "万一呢？",
    ],
)
def test_a_character_of_a_number_in_a_word_is_none(text: str) -> None:
    assert values(text, "zh") == ()


def test_a_full_width_mark_between_clauses_is_none_within_a_number() -> None:
    price, lessons, hour, end = values("€149，12节。营业时间：9点至20点。", "zh")
    assert [value.text for value in (price, lessons, hour, end)] == ["€149", "12", "9点", "20点"]
    [time] = values("９：３０见。", "zh")
    assert time.key == ("time of day", 570.0)


def test_a_year_is_no_duration() -> None:
    [year, years] = values("2027年，3年", "zh")
    assert (year.measure, years.key) == ("year", ("months", 36.0))


def test_the_noun_of_a_number_is_behind_its_measure_word() -> None:
    assert [value.unit for value in values("3个人、两位客人和5张", "zh")] == ["人", "人", "张"]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("1500元", {"1,500元", "¥1500", "1500块"}),
        ("12公斤", {"12kg", "24斤", "12千克"}),
        ("1.5小时", {"90分钟", "一个半小时"}),
        ("3天", {"三天"}),
        ("两天", {"2天"}),
        ("下午3点", {"15:00", "下午三点"}),
        ("20:30", {"晚上8点半", "晚上八点半"}),
        ("18:45", {"晚上6点45分"}),
        ("周三", {"星期三"}),
        ("70岁", {"七十岁"}),
        ("十八岁", {"18岁"}),
        ("3月12日", {"3月12号", "三月十二日"}),
        ("2027年3月12日", {"2027-03-12"}),
    ],
)
def test_a_value_is_written_in_other_forms(text: str, forms: set[str]) -> None:
    value = whole_value(text, "zh")
    assert value is not None
    made = {form.text for form in value.forms()}
    assert forms <= made
    assert all((again := whole_value(form, "zh")) is None or again.same(value) for form in made)


def test_an_open_time_has_no_form_in_figures() -> None:
    value = whole_value("9点", "zh")
    assert value is not None
    assert value.forms() == ()


def test_another_day_keeps_the_way_to_name_it_and_the_month() -> None:
    [day] = values("星期三可以吗？", "zh")
    assert {day.other(Random(seed)).text[:2] for seed in range(9)} == {"星期"}
    [date] = values("3月3日可以吗？", "zh")
    assert {date.other(Random(seed)).text[:2] for seed in range(9)} == {"3月"}


def test_another_time_stays_in_its_part_of_the_day() -> None:
    [time] = values("下午3点可以吗？", "zh")
    drawn = {time.other(Random(seed)).text for seed in range(20)}
    assert drawn == {"下午1点", "下午2点", "下午4点", "下午5点"}


@pytest.mark.parametrize(
    ("reply", "limits"),
    [
        ("最多8个人，不超过20公斤。", [("8", "most", True), ("20公斤", "most", True)]),
        ("18周岁以上免费。", [("18周岁", "least", True)]),
        ("未满12岁不能入场。", [("12岁", "most", False)]),
        ("6到12岁可以参加。", [("6岁", "least", True), ("12岁", "most", True)]),
        ("最多可以带2件行李。", [("2", "most", True)]),
        ("请在14天内退货。", [("14天", "most", True)]),
        ("团体 10 人起。", [("10", "least", True)]),
        ("8:00到20:00开放。", [("8:00", "least", True), ("20:00", "most", True)]),
        ("票价12元。", []),
    ],
)
def test_limits_of_a_reply(reply: str, limits: list[tuple[str, str, bool]]) -> None:
    assert [(limit.value, limit.side, limit.inclusive) for limit in limits_of(reply, "zh")] == limits


def test_words_are_found_by_a_segmenter_and_keep_their_places() -> None:
    text = "成人票多少钱？3个人！"
    present = segmented_words(text, "zh")
    assert [word.group() for word in present] == ["成人票", "多少", "钱", "个人"]
    assert all(text[word.start() : word.end()] == word.group() for word in present)
    assert sorted(content_words("成人票12.50元。", "zh")) == ["成人票"]


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("有停车场吗？", True),
        ("能不能带狗进去?", True),
        ("成人票多少钱？", True),
        ("还有位子吗？", True),
        ("那周一呢？", False),
        ("这个也可以吗？", False),
        ("他可以来吗？", False),
        ("我今年70岁，有优惠吗？", False),
        ("请帮我取消订单好吗？", False),
        ("你是机器人吗？", False),
    ],
)
def test_one_question_that_stands_by_itself(message: str, alone: bool) -> None:
    assert asks_one_thing(message, "zh") is alone


def test_a_question_for_a_value() -> None:
    assert asks_value("成人票多少钱？", "zh")
    assert not asks_value("可以带狗吗？", "zh")


@pytest.mark.parametrize(
    ("reply", "begins"),
    [
        ("可以，欢迎您来。", True),
        ("是的。", True),
        ("有的，在楼下。", True),
        ("您好，可以的。", True),
        ("好的，可以。", True),
        ("好的。", True),
        ("好的，不可以。", False),
        ("好的，成人票12元。", None),
        ("不可以，狗不能进入。", False),
        ("抱歉，我们没有停车场。", False),
        ("没有。", False),
        ("无需预约。", False),
        ("成人票12元。", None),
        ("有效期是30天。", None),
        ("抱歉，我没有听懂您的问题。", None),
    ],
)
def test_yes_and_no(reply: str, begins: bool | None) -> None:
    assert polarity(reply, "zh") is begins


def test_a_word_that_holds_a_word_of_affirming_affirms_nothing() -> None:
    assert side_in("有效期3年，金额从10元到250元。", "zh") is None
    assert side_in("我们有停车场。", "zh") is True
    assert side_in("10岁以下的孩子不可以自己来。", "zh") is False


def test_the_side_of_a_value_is_that_of_the_sentence_that_repeats_it() -> None:
    reply = "桑拿加收每人12欧元。最低年龄是16岁。15岁不可以进桑拿房。"
    assert side_at("15岁", reply, "最低年龄是16岁", "zh") is False


def test_what_a_reply_does() -> None:
    assert is_lost("抱歉，我没有听懂您的问题。", "zh")
    assert is_lost("请您换一种说法。", "zh")
    assert is_refusal("我不能透露其他客人的信息。", language="zh")
    assert is_abstention("我不清楚这件事。", "zh")
    assert not is_lost("明白了。", "zh")
    assert not is_refusal("我们不提供早餐。", language="zh")
    assert without_courtesy("您好！成人票12元。请问还有什么可以帮您？", "zh") == "成人票12元。"


def test_a_question_of_the_form_a_not_a_is_not_negated() -> None:
    assert negations_in("能不能、是不是、有没有", "zh") == 0
    assert negations_in("狗不能进入，没有例外。", "zh") == 2


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("下午3点", "15:00", True),
        ("每人20元", "20元/人", True),
        ("三天", "3天", True),
        ("1.5公斤", "三斤", True),
        ("上午9:30", "晚上9:30", False),
        ("12元", "15元", False),
        ("周末", "周六和周日", True),
        ("工作日9:00", "周一至周五9:00", True),
        ("2张票", "3张票", False),
    ],
)
def test_what_two_replies_state(first: str, second: str, same: bool) -> None:
    told, other = (facts(reply, frozenset(), "zh") for reply in (first, second))
    assert told
    assert all(any(same_fact(fact, of_other) for of_other in other) for fact in told) is same


def test_replies_are_compared_by_their_words() -> None:
    kept = compare_by_folder("成人票12元。", "您好！成人票12元。", "zh")
    negated = compare_by_folder("狗能进入室内。", "狗不能进入室内。", "zh")
    assert kept is not None
    assert negated is not None
    assert (kept.score > 0.9, negated.reason) == (True, "one is negated")
    assert masked_reply("成人票12.50元，周一9:00开门。", frozenset(), "zh") == "成人票_，__开门。".replace("__", "_")


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("drop-punctuation", "您好，门票1,200元吗？", "您好 门票1,200元吗"),
        ("short-question", "儿童票的价格是多少？", "儿童票的价格？"),
        ("write-letters", "12岁要买票吗？", "１２岁要买票吗?"),
        ("reorder-slots", "周五晚上8点4个人，有位子吗？", "4个人周五晚上8点，有位子吗？"),
        ("false-start", "停车场。", "停车场。"),
        ("false-start", "1901年华沙有多少人口？", "1901年华沙有多少人口？"),
    ],
)
def test_an_edit(name: str, text: str, made: str) -> None:
    edit = TRANSFORMATIONS[name]
    wants = {"rng": Random(1), "written_in": "zh"}
    assert edit.apply(text, **{key: value for key, value in wants.items() if key in edit.wants}) == made


def test_a_corrected_number_keeps_its_measure_word() -> None:
    edit = TRANSFORMATIONS["correct-value"]
    made = {edit.apply("有3个人住的房间吗？", Random(seed), "zh") for seed in range(30)}
    assert any("个人，不对，3个人住的房间吗？" in text for text in made)
    assert any(text.endswith(("是3个人。", "是3个人，不是5个人。", "是3个人，不是4个人。")) for text in made)


@pytest.mark.parametrize("name", ["polite-words", "long-preamble", "filled-pauses", "false-start", "indirect-question"])
def test_no_blank_is_put_between_sentences(name: str) -> None:
    edit = TRANSFORMATIONS[name]
    for seed in range(12):
        made = edit.apply("成人票现在多少钱？", Random(seed), "zh")
        assert " " not in made
        assert "成人票" in made


def test_a_time_that_may_be_of_either_half_of_the_day_makes_no_two_times_one(tmp_path: Path) -> None:
    """ "8点" is 8:00 and may be 20:00; a reply that says 20:00 lacks no 8:00."""
    ways = {
        "周六": ("9点至20点。", "上午9点到晚上8点。"),
        "长距离": ("6点半到8点。", "6:30到8:00。", "上午6点半至上午8点。"),
    }

    def bot(message: str) -> str:
        if "周六" in message and "……" in message:
            return "9:00至20:00。"
        known = [replies for word, replies in ways.items() if word in message]
        return known[0][len(message) % len(known[0])] if known else "12元。"

    questions = mutatis.cases(["周六几点开门？", "长距离游泳是几点到几点？", "门票多少钱？"], language="zh")
    asked = ["polite-words", "filled-pauses", "false-start", "drop-punctuation", "long-preamble", "repeat-text"]
    run = mutatis.run(bot, questions, asked, task="chat", out=tmp_path)
    assert run.findings == []
    assert sum(row.judged for row in run.summary) >= 12


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("周一：下午2点至晚上9点。周二至周五：6点半至21点半。周末从9点开放到20点。", "same"),  # 9 and 21 o'clock
        ("周一：14点至21点。周二至周五：6点半至21点半。周末：9点至20点。", "same"),
        ("周一：14点至21点。周二至周五：6点半至21点半。周末：上午8点至20点。", "different"),
        ("周一：14点至21点。周二至周五：下午6点半至21点半。周末：9点至20点。", "different"),
    ],
)
def test_an_hour_without_its_half_of_the_day_fits_either_half(said: str, told: str) -> None:
    ways = (
        "周一：14点至21点。周二至周五：上午6点半至晚上9点半。周末：上午9点至晚上8点。",
        "周一14点至21点，周二至周五从上午6点半到21点半，周末从上午9点到20点。",
    )
    course = "课程在18点半开始。"  # half past six in the evening is what the replies to another question state
    questions = (
        ("营业时间是几点？", (ways[0], *ways * 4, said)),
        *((f"课程{n}几点？", (course,) * 6) for n in "一二三四五六"),
    )
    block = ReplyBlock(
        questions=tuple(
            QuestionReplies(
                source=WordedReply(message=asked, text=texts[0]),
                siblings=tuple(WordedReply(message=f"{asked}{n}", text=text) for n, text in enumerate(texts[1:])),
            )
            for asked, texts in questions
        )
    )
    comparison = Comparison(
        **{"reference": (ways[0],), "answer": said, "question": "营业时间是几点？", "language": "zh"},
        repertoire=Repertoire(block=block, place=0),
    )
    [judged] = RepertoireMeasure(vectors_of_words).compare([comparison])
    assert ("open" if judged.open else "same" if judged.score >= 0.5 else "different") == told, judged.reason
