"""Sources of two runs: the same where they ask the same."""

from __future__ import annotations

from mutatis.analysis.pairing import paired_sources


def texts(**sources: list[str]) -> dict[tuple[str, str], dict[int, int]]:
    return {("qa", name): {turn: hash(text) for turn, text in enumerate(turns)} for name, turns in sources.items()}


def test_one_name_and_one_text_are_one_source_before_anything_else():
    found = paired_sources(texts(a=["x"], b=["x"], c=["x"]), texts(c=["x"], b=["x"], a=["x"]))
    assert found.names == {("qa", name): name for name in "abc"}
    assert (found.renumbered, found.old_only, found.new_only) == (0, (), ())


def test_of_equal_texts_each_has_one_partner():
    found = paired_sources(texts(a=["x"], b=["x"]), texts(c=["x"], d=["x"], e=["x"]))
    assert found.names == {("qa", "c"): "a", ("qa", "d"): "b"}
    assert (found.renumbered, found.new_only) == (2, (("qa", "e"),))
    assert [found.name("qa", name) for name in "cd"] == ["a", "b"]
    assert found.name("qa", "e") not in ("a", "b", "e")


def test_a_dialogue_of_which_fewer_turns_were_judged_is_the_same_under_its_own_name():
    found = paired_sources(texts(a=["x", "y"]), texts(a=["x"]))
    assert found.names == {("qa", "a"): "a"}
    assert paired_sources(texts(a=["x", "y"]), texts(a=["x", "z"])).names == {}
    assert paired_sources(texts(a=["x", "y"]), texts(b=["x"])).names == {}  # it may be any that begins so


def test_another_task_is_another_source():
    other = {("chat", "a"): texts(a=["x"])["qa", "a"]}
    assert paired_sources(texts(a=["x"]), other).names == {}


def test_where_not_all_is_known_a_name_is_trusted_unless_its_text_is_another():
    found = paired_sources(texts(a=["x"], b=["y"]), texts(a=["z"], c=["w"]), complete=False)
    assert (found.old_only, found.new_only) == ((("qa", "a"),), (("qa", "a"),))
    assert found.name("qa", "c") == "c"
    assert found.name("qa", "a") != "a"
