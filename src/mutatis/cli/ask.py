"""`mutatis ask CONFIG [TEXT]`: sends one question and shows the raw request and answer, with secrets removed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from mutatis.assembly.campaign import assemble
from mutatis.campaign.observe import Target, read_response
from mutatis.campaign.session import Campaign
from mutatis.config import Config
from mutatis.core.cases import Case
from mutatis.core.errors import SystemFailure, check_known
from mutatis.core.system import Conversation, Finish, Response, System, has_part
from mutatis.query import Store, checked, why_withheld
from mutatis.reports.terminal import console
from mutatis.systems.transport import Endpoint, HttpExchange
from mutatis.text.visible import visible


def ask_command(config: Config, text: str | None, label: str | None) -> int:
    """Send one question to a system: `text`, or a question from the data. Return 3 if there is no usable answer."""
    return asyncio.run(_asked(config, text, label))


async def _asked(config: Config, text: str | None, label: str | None) -> int:
    with Store(None) as store:
        campaign = assemble(config, store)
        try:
            return await _ask_once(campaign, text, label)
        finally:
            await campaign.close()


async def _ask_once(campaign: Campaign, text: str | None, label: str | None) -> int:
    """Ask a system one question, print everything that is sent and received, and return the exit code."""
    target = _chosen(campaign, label)
    case = next(source.case for source in campaign.sources if source.concerns(target.label))
    turn = case.asked[0]
    case = case if text is None else with_text(case, turn, text)
    task = target.tasks[case.task]
    conversation = task.converse(case, turn, [earlier.reply or "" for earlier in case.turns[:turn]])
    system = target.layer.system
    _say(f"{target.label}, task {case.task}")
    endpoint = system.endpoint
    if isinstance(endpoint, Endpoint):
        endpoint.trace = _print_exchange
    else:
        for message in conversation.messages:
            _say(f"> {message.role}: {message.content}")
    try:
        [response] = checked([await _answer(system, conversation)], 1)
    except SystemFailure as error:
        _say(f"no usable answer: {error}")
        return 3
    _say(f"text: {response.text}")
    for call in response.calls:
        _say(f"call: {call}")
    if why := why_withheld(response):
        is_open = response.finish is Finish.UNKNOWN
        effect = "leaves such an answer open" if is_open else "counts such an answer as an error"
        _say(f"warning: {why}; a run {effect}")
    observation = read_response(task, case, turn, response, 0)
    if observation.error is not None:
        _say(observation.error)
        return 3
    assert observation.response is not None
    _say(f"read as: {observation.response.value!r}")
    if response.prompt_tokens or response.completion_tokens:
        _say(f"tokens: {response.prompt_tokens} prompt, {response.completion_tokens} completion")
    return 0


def with_text(case: Case, turn: int, text: str) -> Case:
    """Return the case with `text` as the question of the given turn."""
    asked = case.turns[turn]
    name = next((name for name in ("text", "message", "question") if name in asked.fields), next(iter(asked.fields)))
    changed = replace(asked, fields={**asked.fields, name: text}, expected=())
    return replace(case, turns=(*case.turns[:turn], changed, *case.turns[turn + 1 :]))


def _chosen(campaign: Campaign, label: str | None) -> Target:
    targets = {target.label: target for target in campaign.targets}
    if label is None:
        return next(iter(targets.values()))
    check_known("system:", [label], targets)
    return targets[label]


async def _answer(system: System, conversation: Conversation) -> Response:
    if system.session is None or has_part(system, "ask"):
        return await system.ask(conversation)
    async with system.session() as session:
        return await session.send(conversation)


def _print_exchange(exchange: HttpExchange) -> None:
    _say(f"> {exchange.method} {exchange.url}")
    _print_message(">", exchange.sent_headers, exchange.sent)
    _say(f"< {exchange.status}")
    _print_message("<", exchange.headers, exchange.received)


def _print_message(mark: str, headers: Mapping[str, str], body: str) -> None:
    for name, value in headers.items():
        _say(f"{mark} {name}: {value}")
    with suppress(ValueError, RecursionError):  # a body that is not JSON is printed as it is
        body = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    for row in body.splitlines():
        _say(f"{mark} {row}")


def _say(text: str) -> None:
    console().print(visible(text), soft_wrap=True)
