"""What is in the name of an answer, and what is not."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.system import Conversation, Message
from mutatis.query.key import answer_key, canonical

ASKED = Conversation(messages=(Message(role="user", content="How many?"),))
IDENTITY = {"type": "t", "model": "m", "revision": ""}


def test_the_key_is_the_hash_of_sorted_json_written_out_by_hand():
    text = '{"asked":[{"messages":[["user","How many?"]]}],"repeat":0,"system":{"model":"m","revision":"","type":"t"}}'
    assert answer_key(IDENTITY, [ASKED], 0) == hashlib.sha256(text.encode()).hexdigest()


def test_all_that_can_be_in_a_key_written_out_by_hand():
    full = replace(
        ASKED,
        fields={"question": "How many?", "context": "\u00e9"},
        options={"temperature": 0.5},
        history=(({"question": "Who?"}, "Ann"),),
        marks={"draw": 1, "attempt": 0},
    )
    asked = (
        '{"fields":{"context":"\\u00e9","question":"How many?"},"history":[[{"question":"Who?"},"Ann"]],'
        '"marks":{"attempt":0,"draw":1},"messages":[["user","How many?"]],"options":{"temperature":0.5}}'
    )
    bare = '{"messages":[["user","How many?"]]}'
    text = f'{{"asked":[{asked},{bare}],"repeat":2,"system":{{"model":"m","revision":"","type":"t"}}}}'
    assert answer_key(IDENTITY, [full, ASKED], 2) == hashlib.sha256(text.encode()).hexdigest()
    unmarked = replace(ASKED, marks={"draw": 0, "attempt": 0})
    assert answer_key(IDENTITY, [unmarked], 0) == answer_key(IDENTITY, [ASKED], 0)


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, messages=(Message(role="user", content="How many? "),)),
        replace(ASKED, messages=(Message(role="system", content="How many?"),)),
        replace(ASKED, messages=(*ASKED.messages, *ASKED.messages)),
        replace(ASKED, fields={"question": "How many?"}),
        replace(ASKED, options={"temperature": 0.5}),
        replace(ASKED, marks={"draw": 1, "attempt": 0}),
        replace(ASKED, history=(({"question": "Who?"}, "Ann"),)),
    ],
)
def test_whatever_may_change_the_answer_changes_the_key(other):
    assert answer_key(IDENTITY, [other], 0) != answer_key(IDENTITY, [ASKED], 0)


@pytest.mark.parametrize("other", [replace(ASKED, case_id="x/1"), replace(ASKED, turn=3)])
def test_where_a_question_stands_does_not_change_the_key(other):
    assert answer_key(IDENTITY, [other], 0) == answer_key(IDENTITY, [ASKED], 0)


def test_repeats_revisions_and_whole_dialogues_have_keys_of_their_own():
    keys = {
        answer_key(IDENTITY, [ASKED], 0),
        answer_key(IDENTITY, [ASKED], 1),
        answer_key({**IDENTITY, "revision": "2"}, [ASKED], 0),
        answer_key(IDENTITY, [ASKED, ASKED], 0),
    }
    assert len(keys) == 4


def test_two_draws_and_two_attempts_are_four_questions():
    marked = [replace(ASKED, marks={"draw": d, "attempt": a}) for d in (0, 1) for a in (0, 1)]
    assert len({answer_key(IDENTITY, [turn], 0) for turn in marked}) == 4


texts = st.text(st.characters(codec=None), max_size=20)


@given(st.lists(st.tuples(st.sampled_from(["user", "system"]), texts), min_size=1, max_size=4), st.data())
def test_messages_with_any_characters_have_one_key_and_no_two_share_it(pairs, data):
    other = data.draw(st.lists(st.tuples(st.sampled_from(["user", "system"]), texts), min_size=1, max_size=4))
    keys = [
        answer_key(IDENTITY, [Conversation(messages=tuple(Message(role=r, content=c) for r, c in said))], 0)
        for said in (pairs, pairs, other)
    ]
    assert keys[0] == keys[1]
    assert (keys[0] == keys[2]) == (pairs == other)


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=6))
def test_the_order_of_keys_does_not_matter(table):
    backwards = dict(reversed(list(table.items())))
    assert canonical(table) == canonical(backwards)
    assert canonical(table).isascii()
