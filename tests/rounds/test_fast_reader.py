r"""The fast reader of rounds: the facts of the careful reader, byte for byte, or none.

Whatever a decoder of typed structs might take otherwise than the careful reader has a case here.
``tests/rounds/properties/test_mutated_lines.py`` changes lines at random.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from rounds.feed import document_of
from rounds.feed.typed_documents import BetDocument, RoundDocument, optional_fields, required_fields
from tests.rounds.both_readers import assert_readers_agree, is_valid_round
from tests.rounds.feed_documents import PLAIN, document, with_bet
from tests.rounds.full_documents import full_rounds, lines_of
from tests.rounds.rules.dealing import BLACKJACK

_GOLDEN: Final = Path(__file__).parents[1] / "golden"
_GAMES: Final = ("baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit")


@pytest.mark.parametrize("game", _GAMES)
def test_reads_every_valid_round_of_the_public_cases_and_no_other_line(game: str) -> None:
    """The slow path is for shoes and for errors."""
    lines = (_GOLDEN / f"{game}.ndjson").read_bytes().splitlines()

    read = [assert_readers_agree(line) for line in lines]

    assert read == [is_valid_round(line) for line in lines]
    assert sum(read) > len(lines) / 2


class TestEachField:
    """One declaration for both readers."""

    def test_is_read_alike(self) -> None:
        """A new field has to be added to the documents of this test."""
        documents = full_rounds()
        fields = {field for document in documents for field in document}
        of_bets = {field for document in documents for bet in document["bets"] for field in bet}

        read = [assert_readers_agree(line) for line in lines_of(documents)]

        assert all(read)
        assert fields == required_fields(RoundDocument) | optional_fields(RoundDocument)
        assert of_bets == required_fields(BetDocument) | optional_fields(BetDocument)

    @pytest.mark.parametrize("value", [None, True, 1, 1.0, 2**70, "", "x", [], {}, [[]], {"a": 1}])
    def test_is_read_alike_with_any_value(self, value: object) -> None:
        """At every place of a document."""
        lines = [line for full in full_rounds() for line in lines_of(_with_each_place(full, value))]

        read = [assert_readers_agree(line) for line in lines]

        assert read == [is_valid_round(line) for line in lines]

    def test_is_read_alike_if_it_is_missing_or_in_another_place(self) -> None:
        """Required, unknown and misspelt fields."""
        documents = [
            {name: value for name, value in full.items() if name != left_out}
            for full in full_rounds()
            for left_out in full
        ]
        documents += [document(**{name: 1}) for name in ("unknown", "Feed", "feed ", "", "id")]
        documents += [with_bet(**{name: 1}) for name in ("unknown", "ID", "feed", "", "table")]

        for line in lines_of(documents):
            assert assert_readers_agree(line) == is_valid_round(line)


def _with_each_place(value: Any, other: object) -> list[Any]:
    """Copies of the document, in each of which one value is another."""
    copies = []
    for key in value if isinstance(value, dict) else range(len(value)):
        inner = _with_each_place(value[key], other) if isinstance(value[key], dict | list) else []
        for changed in [other, *inner]:
            copy = value.copy()
            copy[key] = changed
            copies.append(copy)
    return copies


PLAIN_LINE: Final = json.dumps(document_of(PLAIN[BLACKJACK])).encode()


def changed(old: str, new: str) -> bytes:
    """The plain line with a text in place of another."""
    assert old.encode() in PLAIN_LINE
    return PLAIN_LINE.replace(old.encode(), new.encode(errors="surrogatepass"), 1)


class TestALineInAnotherNotation:
    """JSON may be written in many ways."""

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(json.dumps(document(), separators=(",", ":")).encode(), id="compact"),
            pytest.param(json.dumps(document(), indent=3).encode(), id="indented"),
            pytest.param(b" \t\r" + PLAIN_LINE + b" \r\n", id="white space around it"),
            pytest.param(json.dumps(document(), sort_keys=True).encode(), id="sorted fields"),
            pytest.param(changed('"table"', r'"\u0074able"'), id="an escape in a name"),
            pytest.param(changed('"t-1"', r'"\u0074-1"'), id="an escape in a text"),
            pytest.param(changed('"t-1"', r'"\"t\"-\u00221\/"'), id="escaped quotation marks"),
            pytest.param(changed('"t-1"', '"é🂡"'), id="characters beyond ASCII"),
            pytest.param(changed('"t-1"', r'"\u00e9\ud83c\udca1"'), id="a pair of surrogates"),
            pytest.param(changed('"t-1"', '"a\x7fb"'), id="a delete character"),
            pytest.param(changed('"drawn": 0', '"drawn": -0'), id="minus zero"),
            pytest.param(changed('"p-1"', r'"p\n1"'), id="a line feed in the name of a player"),
        ],
    )
    def test_is_read_fast(self, line: bytes) -> None:
        """Also with escapes, as long as strings can be counted."""
        assert assert_readers_agree(line)

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(changed('"t-1"', r'"\\t"'), id="an escaped backslash"),
            pytest.param(changed('"t-1"', r'"\u005ct"'), id="a backslash by its number"),
            pytest.param(changed('"t-1"', r'"\\\"t"'), id="a backslash and a quotation mark"),
        ],
    )
    def test_is_left_to_the_careful_reader(self, line: bytes) -> None:
        """Strings cannot be counted."""
        assert not assert_readers_agree(line)
        assert is_valid_round(line)

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(b"\xef\xbb\xbf" + PLAIN_LINE, id="a byte order mark"),
            pytest.param(PLAIN_LINE.decode().encode("utf-16"), id="UTF-16"),
            pytest.param(PLAIN_LINE + b"\0", id="a NUL after it"),
            pytest.param(PLAIN_LINE + b"\x0c", id="a form feed after it"),
            pytest.param(PLAIN_LINE + PLAIN_LINE, id="two documents"),
            pytest.param(PLAIN_LINE[:-1], id="cut off"),
            pytest.param(PLAIN_LINE[:-1] + b",}", id="a comma before the end"),
            pytest.param(PLAIN_LINE.replace(b'"', b"'"), id="apostrophes"),
            pytest.param(b"[" + PLAIN_LINE + b"]", id="in a list"),
            pytest.param(b"null", id="null"),
            pytest.param(b"1", id="a number"),
            pytest.param(b'"round/1"', id="a text"),
            pytest.param(PLAIN_LINE.upper(), id="upper case"),
            pytest.param(changed('"drawn": 0', '"drawn": 0.0'), id="a decimal"),
            pytest.param(changed('"drawn": 0', '"drawn": 0e0'), id="an exponent"),
            pytest.param(changed('"drawn": 0', '"drawn": 00'), id="a leading zero"),
            pytest.param(changed('"drawn": 0', '"drawn": +0'), id="a plus sign"),
            pytest.param(changed('"drawn": 0', '"drawn": 0x0'), id="a hexadecimal number"),
            pytest.param(changed('"drawn": 0', '"drawn": NaN'), id="not a number"),
            pytest.param(changed('"drawn": 0', '"drawn": Infinity'), id="infinity"),
            pytest.param(changed('"drawn": 0', '"drawn": 1e400'), id="beyond all numbers"),
            pytest.param(changed('"drawn": 0', '"drawn": 2147483648'), id="a count of 32 bits"),
            pytest.param(changed('"drawn": 0', f'"drawn": {2**64}'), id="a count of 65 bits"),
            pytest.param(changed('"drawn": 0', '"drawn": 1' + "0" * 5000), id="5,001 digits"),
            pytest.param(changed('"drawn": 0', '"drawn": false'), id="false for 0"),
            pytest.param(changed('"drawn": 0', '"drawn": "0"'), id="text for 0"),
            pytest.param(changed('"drawn": 0', '"drawn": null'), id="null for 0"),
            pytest.param(changed('"box": 1', '"box": true'), id="true for 1"),
            pytest.param(changed('"box": 1', '"box": 1.0'), id="a decimal for 1"),
            pytest.param(changed('"box": 1', '"box": 1, "behind": 1'), id="1 for true"),
            pytest.param(changed('"box": 1', '"box": 1, "behind": null'), id="null for false"),
            pytest.param(changed('"box": 1', '"box": 1, "raised": ""'), id="an empty amount"),
            pytest.param(changed('"box": 1', '"box": 1, "play": null'), id="null for a play"),
            pytest.param(changed('"t-1"', r'"\ud800"'), id="half a character"),
            pytest.param(changed('"t-1"', r'"\udca1\ud83c"'), id="halves in the wrong order"),
            pytest.param(changed('"t-1"', '"\ud800"'), id="half a character in UTF-8"),
            pytest.param(PLAIN_LINE.replace(b"t-1", b"\xff"), id="no UTF-8"),
            pytest.param(PLAIN_LINE.replace(b"t-1", b"\xc0\x80"), id="NUL in two bytes"),
            pytest.param(changed('"t-1"', '"a\tb"'), id="a tabulator in a text"),
            pytest.param(changed('"t-1"', r'"\x41"'), id="an unknown escape"),
            pytest.param(changed('"t-1"', r'"\u004"'), id="an escape of three digits"),
            pytest.param(changed('"t-1"', r'"a\u0000b"'), id="NUL"),
            pytest.param(changed('"t-1"', '""'), id="an empty text"),
            pytest.param(changed('"round/1"', '"Round/1"'), id="another feed"),
            pytest.param(changed('"blackjack/1"', '"blackjack/99"'), id="unknown rules"),
        ],
    )
    def test_is_refused_by_both(self, line: bytes) -> None:
        """The error is the careful reader's."""
        assert not assert_readers_agree(line)
        assert not is_valid_round(line)

    @pytest.mark.parametrize(
        "time",
        [
            "2026-11-21T10:00:05.1234Z",
            "2026-11-21T10:00:05+00:00",
            "2026-11-21t10:00:05z",
            "2026-11-21 10:00:05Z",
            "2026-11-21T10:00:60Z",
            "2026-11-21T24:00:00Z",
            "2026-02-29T10:00:05Z",
            "20261121T100005Z",
            "1795255205",
        ],
    )
    @pytest.mark.parametrize("field", ["opened_at", "closed_at", "ended_at"])
    def test_is_refused_with_another_notation_of_times(self, field: str, time: str) -> None:
        """Whatever else ISO 8601 allows."""
        (line, of_bet) = lines_of([document(**{field: time}), with_bet(placed_at=time)])

        assert not assert_readers_agree(line)
        assert not assert_readers_agree(of_bet)
        assert not is_valid_round(line)
        assert not is_valid_round(of_bet)


@pytest.mark.parametrize("cell", [0, -7, 2**31, 2**63, 2**64, 10**30, 10**4000])
def test_a_cell_of_a_bonus_may_be_any_integer(cell: int) -> None:
    """The rules hold the round: nothing else in a document has no greatest value."""
    full, *_others = full_rounds()
    line = json.dumps(full).encode().replace(b"[[1, ", b"[[%d, " % cell)

    assert assert_readers_agree(line)
    assert b"%d" % cell in line
