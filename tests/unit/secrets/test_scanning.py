"""Which texts are secrets: by their names, by what stands around them, by their form, by guess; and which are none."""

from __future__ import annotations

import base64
import hashlib
import string
from random import Random

import pytest

from mutatis.secrets.environment import cleaned
from mutatis.secrets.masking import Mask, scrubbed, without_secrets
from mutatis.secrets.scanning import Secret, is_plain, looks_secret, looks_secret_in_address, secrets_in
from support.steps import lines

KEY = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"


@pytest.mark.parametrize(
    "name",
    [
        *("api_key", "Authorization", "x-api-key", "token", "access_token", "client_secret", "Cookie", "password"),
        *("bearer", "Bearer", "pass", "userPass", "passwd", "pwd", "db_pwd", "jwt", "X-JWT", "sig", "signature"),
        *("X-Amz-Signature", "X-Amz-Credential", "sid", "PIN", "hmac", "credentials", "session"),
    ],
)
def test_names_of_secrets(name):
    assert looks_secret(name)
    assert looks_secret_in_address(name)
    assert not is_plain(name)


@pytest.mark.parametrize(
    "name", ["message", "bypass", "compass", "design", "signal", "author", "route", "spinner", "passage", "cod"]
)
def test_names_that_say_nothing(name):
    assert not looks_secret(name)


def test_a_code_is_one_in_an_address_alone():
    assert looks_secret_in_address("code")
    assert not looks_secret("code")
    assert not looks_secret_in_address("language_code")
    assert without_secrets({"url": "http://h/?code=ab", "request": {"code": "de", "language_code": "de"}}) == {
        "url": "http://h/?code=***",
        "request": {"code": "de", "language_code": "de"},
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://h/x?code=ab&q=1", "http://h/x?code=***&q=1"),
        ("http://h/x?sig=ab&pwd=cd;passwd=ef&jwt=gh", "http://h/x?sig=***&pwd=***;passwd=***&jwt=***"),
        (
            "http://h/x?X-Amz-Signature=ab&X-Amz-Date=20261120T101500Z",
            "http://h/x?X-Amz-Signature=***&X-Amz-Date=20261120T101500Z",
        ),
        ("http://h/x#access_token=ab&state=1", "http://h/x#access_token=***&state=1"),
        ("http://h/bot123456:ABC-DEF1234ghIkl/send", "http://h/bot***/send"),
        ("http://h/bothunter2zebra/send", "http://h/bot***/send"),
        ("http://h/bothunter2zebra-x?q=1", "http://h/bot***?q=1"),
        ("http://h/bottles-of-1984-wine/x", "http://h/bottles-of-1984-wine/x"),
        ("http://h/bothandler2/x", "http://h/bothandler2/x"),
        ("http://h/bot4customers/x", "http://h/bot4customers/x"),
        ("http://h/robots/x", "http://h/robots/x"),
        ("http://h/v1/token/ab12cd34/chat", "http://h/v1/token/***/chat"),
        ("http://h/auth/login/callback", "http://h/auth/login/callback"),
        ("http://h/token/refresh-now/x", "http://h/token/refresh-now/x"),
        ("http://me:pw@h/x", "http://***@h/x"),
        ("htp://me:pw@h/x", "htp://***@h/x"),
        ("ray://me@h:1", "ray://***@h:1"),
        ("http://h/?mail=me@x.org", "http://h/?mail=me@x.org"),
        ("headers='Authorization: Bearer ab12cd34'", "headers='Authorization: Bearer ***'"),
        ("Authorization: Basic bWU6aHVudGVyMg==", "Authorization: Basic ***"),
        ('{"api_key": "ab12cd34", "q": 1}', '{"api_key": "***", "q": 1}'),
        ("api_key = ab12cd34", "api_key = ***"),
        ("http://h/?code={question}&token=env:KEY", "http://h/?code={question}&token=env:KEY"),
        ("Authorization: Bearer env:MY_KEY_2", "Authorization: Bearer env:MY_KEY_2"),
        ("the key: expected text", "the key: expected text"),
        ("a token: see http://127.0.0.1:8000", "a token: see http://127.0.0.1:8000"),
        ("bearer understanding", "bearer understanding"),
    ],
)
def test_what_stands_around_a_secret_tells_it(text, shown):
    assert scrubbed(text) == shown


TOKENS = {
    "OpenAI": "sk-" + "a1B2c3D4e5F6g7H8i9J0" + "T3BlbkFJ" + "k1L2m3N4o5P6q7R8s9T0",
    "GitHub": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "AWS": "AKIA" + "IOSFODNN7EXAMPLE",
    "Slack": "xoxb-" + "123456789012-1234567890123-" + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "Stripe": "sk_live_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "JWT": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_a_token_of_a_known_service_is_certain_under_any_name(token):
    assert without_secrets({"request": {"route": f"a {token} b"}}) == {"request": {"route": "a *** b"}}


def test_a_private_key_is_hidden_whole():
    pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n-----END PRIVATE KEY-----"
    assert without_secrets({"headers": {"X-Signer": pem}}) == {"headers": {"X-Signer": "***"}}


def drawn(alphabet: str, length: int) -> list[str]:
    random = Random(f"{alphabet} {length}")
    return ["".join(random.choices(alphabet, k=length)) for _ in range(300)]


@pytest.mark.parametrize(
    ("alphabet", "length", "least"),
    [
        ("0123456789abcdef", 32, 0.97),
        ("0123456789abcdef", 24, 0.95),
        (string.ascii_letters + string.digits, 20, 0.97),
        (string.ascii_letters + string.digits, 32, 0.99),
        (string.ascii_letters + string.digits + "-_", 43, 0.99),
        (string.ascii_lowercase + string.digits, 32, 0.95),
    ],
)
def test_random_texts_are_guessed(alphabet, length, least):
    texts = drawn(alphabet, length)
    caught = [text for text in texts if "masked by guess" in scrubbed(text, guess=True)]
    assert len(caught) >= least * len(texts)


PLAIN = [
    *("gpt-4o-mini-2024-07-18", "meta-llama/Llama-3.1-70B-Instruct-AWQ-INT4", "mixtral8x7b-instruct-v0.1"),
    *("claude-3-5-sonnet-20241022", "customer-support-bot-production-v2", "getCustomerAnswersFromBackendV2"),
    *("2026-11-20T10:15:00Z", "20261120T101500Z", "00000000-0000-0000-0000-000000000000", "1234567890123456"),
    *("http://127.0.0.1:41235/v1/chat/completions", "https://a1b2c3d4e5f6g7h8.execute-api.aws.example/prod/chat"),
    *("application/json; charset=utf-8", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", "xxxxxxxxxxxxxxxxxxxx"),
    *("user-1234@example-company.org", "/srv/data/questions-2026-11-20/final_v3.jsonl", "{question} in {language}"),
    "https://my-res0urce.openai.azure.com/openai/deployments/gpt-4o-2024-08-06/chat?api-version=2024-10-21",
    "Answer in one word. Question 12: who wrote the 1984 novel about room 101 and the ministry-of-truth?",
]


@pytest.mark.parametrize("text", PLAIN)
def test_words_numbers_and_addresses_are_not_guessed(text):
    assert scrubbed(text, guess=True) == text


@pytest.mark.parametrize("digits", [40, 64, 128])
def test_hashes_are_not_guessed(digits):
    text = (KEY * 4)[:digits]
    assert scrubbed(text, guess=True) == text
    assert scrubbed(f"sha256:{KEY}", guess=True) == f"sha256:{KEY}"
    assert scrubbed(KEY, guess=True) != KEY  # of 32 digits, most are keys


def test_model_and_revision_are_exempt_and_a_guess_says_so():
    data = {"request": {"model": KEY, "revision": KEY[::-1], "route": KEY[4:] + "0123"}}
    shown = without_secrets(data)["request"]
    mark = hashlib.sha256(data["request"]["route"].encode()).hexdigest()[:8]
    assert shown == {"model": KEY, "revision": KEY[::-1], "route": f"***(masked by guess, {mark})"}


def test_only_what_is_sent_is_guessed():
    assert without_secrets({"path": KEY, "label": "bot"}, sent=False) == {"path": KEY, "label": "bot"}
    assert "guess" in without_secrets({"headers": {"X-Team": KEY}}, sent=False)["headers"]["X-Team"]


def test_two_guesses_are_told_apart_and_two_secrets_are_not():
    """A guess may be wrong: another value is another system then, whose answers must not be taken for this one's."""
    first, other = ({"headers": {"X-Team": KEY[:-2] + end}} for end in ("01", "02"))
    assert without_secrets(first) != without_secrets(other)
    first, other = ({"headers": {"X-Api-Key": KEY[:-2] + end}} for end in ("01", "02"))
    assert without_secrets(first) == without_secrets(other)


def test_what_is_masked_in_one_place_is_masked_in_all():
    data = {"label": f"bot {KEY}", "headers": {"X-Team": KEY}, "note": "pass hunter22", "request": {"pass": "hunter22"}}
    shown = without_secrets(data)
    assert KEY not in str(shown)
    assert shown["note"] == "pass ***"


def test_a_password_is_known_without_its_user_and_without_its_encoding():
    encoded = base64.b64encode(b"me:hunter22").decode()
    mask = Mask.of(secrets_in({"headers": {"Authorization": f"Basic {encoded}"}}))
    assert mask(f"a {encoded} b hunter22 c") == "a *** b *** c"
    assert Mask.of(secrets_in("http://me:hunter22@h/"))("no hunter22") == "no ***"
    assert Mask.of(secrets_in("http://h/?code=a%2Fb%2Bc1234"))("no a/b+c1234") == "no ***"


@pytest.mark.parametrize("back", ['"quo\\"te&1234"', "quo%22te%261234", "quo&quot;te&amp;1234", 'quo"te&1234'])
def test_a_secret_is_struck_out_however_it_is_written(back):
    assert "te" not in Mask.of([Secret('quo"te&1234')])(f"said {back}")


def test_longer_secrets_go_first_and_short_ones_stay():
    mask = Mask.of([Secret("abcd1234"), Secret("abcd1234efgh"), Secret("abc")])
    assert mask("abcd1234efgh abcd1234 abc") == "*** *** abc"
    assert mask.strong("abcd1234 EMPTY") == "*** EMPTY"


def test_what_code_of_others_says_is_cleaned(monkeypatch):
    monkeypatch.setenv("BOT_TOKEN", "hunter2-hunter3")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/tmp/ssh-1234")
    told = cleaned("401 for http://h/?key=ab12 with hunter2-hunter3 in /tmp/ssh-1234, Bearer ab12cd34")
    assert told == "401 for http://h/?key=*** with *** in /tmp/ssh-1234, Bearer ***"


@pytest.mark.parametrize(
    "again",
    [
        "?key=a1b2c3d4&",
        "//me:pw@h/token/a1b2c3d4 ",
        f"{KEY} ",
        f"//h/{KEY}/",
        "Bearer a1b2c3d4 ",
        "key=a1b2c3d4 ",
        "{a}",
    ],
)
def test_masking_takes_steps_in_proportion_to_the_text(again):
    scrubbed(again, guess=True)
    taken = [lines(lambda n=n: scrubbed((again * n)[:n], guess=True)) for n in (1000, 2000)]
    assert taken[1] <= 2.5 * taken[0] + 50
    taken = [lines(lambda n=n: without_secrets({"request": [again * 3] * n})) for n in (100, 200)]
    assert taken[1] <= 2.5 * taken[0] + 50
