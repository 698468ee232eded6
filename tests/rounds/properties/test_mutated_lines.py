"""Both readers agree on lines of which bytes, tokens and fields were changed at random."""

import json
import re
from typing import Any, Final

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.repetitions import repeated
from tests.rounds.both_readers import assert_readers_agree, is_valid_round
from tests.rounds.properties.simulated import NAMES, legal_rounds, property_settings

_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|[][{}:,]|\s+')
_FIELD: Final = re.compile(
    rb'"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9.eE+-]+|true|false|null|\[[^][{}]*\])'
)
_OTHER: Final = (
    *(b'"', b"\\", b"\\\\", rb"\"", rb"\u0022", rb"\u005c", rb"\ud83c\udca1", rb"\ud800", b"\0"),
    *(b"\xc3\xa9", b"\xff", b" ", b"\n", b"0", b"-0", b"1.0", b"1e0", b"true", b"null", b"NaN"),
    *(b'""', b"{}", b"[]", b'"x":1,', b",", b":", b"{", b"}", b"[", b"]", b"Z", b"/"),
)
_NOTATIONS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"separators": (",", ":")},
    {"indent": 1},
    {"ensure_ascii": False},
    {"sort_keys": True},
)


@st.composite
def mutated_lines(draw: st.DrawFn, game: str) -> bytes:
    """A legal round in some notation, with up to three changes."""
    line = json.dumps(draw(legal_rounds(game)), **draw(st.sampled_from(_NOTATIONS))).encode()
    for _change in range(draw(st.integers(0, 3))):
        line = draw(st.sampled_from((_with_byte, _with_token, _with_field)))(draw, line)
    return line


def _with_byte(draw: st.DrawFn, line: bytes) -> bytes:
    """One byte removed, replaced or inserted."""
    at, length = draw(st.integers(0, len(line))), draw(st.integers(0, 1))
    return line[:at] + draw(st.binary(max_size=1)) + line[at + length :]


def _with_token(draw: st.DrawFn, line: bytes) -> bytes:
    """One token removed, repeated, or another in its place or before it."""
    tokens = [*_TOKEN.finditer(line)]
    if not tokens:
        return line
    token = draw(st.sampled_from(tokens))
    before, old, after = line[: token.start()], token[0], line[token.end() :]
    other = draw(st.sampled_from((*_OTHER, old)))
    return before + draw(st.sampled_from((b"", other, other + old))) + after


def _with_field(draw: st.DrawFn, line: bytes) -> bytes:
    """One field repeated, with its own value or that of another field."""
    fields = [*_FIELD.finditer(line)]
    if not fields:
        return line
    field, other = draw(st.sampled_from(fields)), draw(st.sampled_from(fields))
    name, _colon, value = field[0].partition(b":")
    value = draw(st.sampled_from((value, other[0].partition(b":")[2])))
    return line[: field.start()] + name + b":" + value + b"," + line[field.start() :]


def mutate(game: str, examples: int) -> None:
    """Asserts that both readers agree on this many lines of a game."""

    @given(mutated_lines(game))
    @property_settings(examples)
    def holds(line: bytes) -> None:
        is_fast = assert_readers_agree(line)

        event(f"fast: {is_fast}, valid: {is_valid_round(line)}")

    holds()


@pytest.mark.parametrize("game", NAMES)
class TestAMutatedLine:
    """A legal round with up to three random changes."""

    def test_is_read_alike(self, game: str) -> None:
        """A few of them in every run."""
        mutate(game, 150)

    @pytest.mark.slow
    @pytest.mark.timeout(1_800)
    def test_is_read_alike_many_times(self, game: str) -> None:
        """Twenty thousand for each game."""
        mutate(game, repeated(20_000))
