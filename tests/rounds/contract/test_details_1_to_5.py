"""Contract, "Lines and documents": details 1 to 5, each by a case worked out by hand."""

import json

import pytest

from rounds.documents import read_documents
from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    IN_TIME,
    MFB,
    MFB_WINS,
    NATURAL,
    QB,
    SIX_POINTS,
    WINS,
    ZAP,
    Document,
    bet,
    bonus,
    deal,
    error_field,
    graded,
    left,
    rejected_field,
    replay,
    shoe,
    verdict_of,
)


def raw(document: Document, **texts: str) -> bytes:
    """The document as JSON in which fields hold these very texts: ``1e2`` for ``"@1"``."""
    line = json.dumps(document)
    for name, text in texts.items():
        line = line.replace(f'"@{name}"', text)
    return line.encode()


class TestDetail1Lines:
    """Blank lines count; valid shoes produce no result."""

    def test_numbers_are_those_of_the_file(self) -> None:
        """CRLF, blank lines, spaces and a shoe in between; the last line has no line end."""
        feed = [b"\r\n", b"[]\r\n", b" \t \r\n", *map(raw, [shoe()]), b"\n", b"{}\n", b"7"]

        output = replay(*[line.removesuffix(b"\n") for line in feed])

        assert [line["line"] for line in output] == [2, 6, 7]

    def test_an_invalid_shoe_has_no_round_id(self) -> None:
        """Even if it has a field of that name."""
        (output,) = replay(shoe(round="r-1"))

        assert (output["status"], output["round"], output["line"]) == ("rejected", None, 1)

    @pytest.mark.parametrize("line", [b"\x0c", b"\x0b", b"\xc2\xa0", b"\0"])
    def test_whitespace_unknown_to_json_is_not_blank(self, line: bytes) -> None:
        """Replay and ingest agree: a form feed is a malformed document, not a blank line."""
        (output,) = replay(line)
        ((document,),) = read_documents([line + b"\n"])

        assert error_field(output) == "document"
        assert (document.line, document.content) == (1, line + b"\n")


class TestDetail2Fields:
    """Every listed field is required unless marked otherwise."""

    @pytest.mark.parametrize("field", ["table", "opened_at", "burnt", "burnt_face_down", "shoe"])
    def test_of_a_shoe_are_required(self, field: str) -> None:
        """Each of the four, and the shoe's id."""
        announced = shoe()
        del announced[field]

        (output,) = replay(announced)

        assert error_field(output) == field

    @pytest.mark.parametrize("field", ["level", "spins", "multiplier"])
    def test_of_a_bonus_are_required(self, field: str) -> None:
        """Only ``specials`` may be absent."""
        played = bonus("minor", "2", "1:2", "", "", "")
        assert "specials" not in played
        assert verdict_of(SIX_POINTS, bet("b1"), rules=MFB, bonus=played) == "settled"
        del played[field]

        assert rejected_field(SIX_POINTS, bet("b1"), rules=MFB, bonus=played) == f"bonus.{field}"

    @pytest.mark.parametrize("field", ["id", "drawn"])
    def test_of_the_shoe_of_a_round_are_required(self, field: str) -> None:
        """Both ``id`` and ``drawn``."""
        other = {"id": "s-1", "drawn": 52}
        del other[field]

        assert rejected_field(WINS, bet("b1"), shoe=other) == f"shoe.{field}"

    def test_a_shoe_is_forbidden_at_zappit_and_a_box_at_baccarat(self) -> None:
        """Also null or 0."""
        assert rejected_field(WINS, bet("b1"), rules=ZAP, shoe=None) == "shoe"
        assert rejected_field(NATURAL, bet("b1", "player"), rules=BAC) == "bets[0].box"
        assert rejected_field(NATURAL, bet("b1", "player", box=0), rules=BAC) == "bets[0].box"

    @pytest.mark.parametrize(
        "field",
        ["disconnects", "incident", "bonus", "multipliers", "shoe"],
    )
    def test_null_does_not_count_as_absent(self, field: str) -> None:
        """A field that is present must be valid."""
        rules = {"bonus": MFB, "multipliers": QB}.get(field, BJ)

        assert rejected_field(WINS, bet("b1"), rules=rules, **{field: None}) == field

    @pytest.mark.parametrize("field", ["raised", "play", "funding", "behind", "reported"])
    def test_null_does_not_count_as_absent_in_a_bet(self, field: str) -> None:
        """The same for a bet's optional fields."""
        assert rejected_field(WINS, bet("b1") | {field: None}) == f"bets[0].{field}"


class TestDetail3Integers:
    """No decimal point, no exponent; booleans are not integers."""

    @pytest.mark.parametrize("text", ["1.0", "1e0", "1E0", "10e-1", "true", '"1"', "1e400"])
    def test_of_another_form_are_rejected(self, text: str) -> None:
        """In every integer field of the feed."""
        entry = left(seen=4, own="D:2C") | {"cards_seen": "@x"}
        played = bonus("minor", "2", "1:2", "", "", "")
        played["spins"][0][0][0] = "@x"
        documents = {
            "bets[0].box": deal(WINS, bet("b1", box="@x")),
            "shoe.drawn": deal(WINS, bet("b1"), shoe={"id": "s-1", "drawn": "@x"}),
            "burnt_face_down": shoe() | {"burnt_face_down": "@x"},
            "disconnects[0].cards_seen": deal(WINS, bet("b1"), disconnects=[entry]),
            "bonus.spins[0]": deal(MFB_WINS, bet("b1"), rules=MFB, bonus=played),
        }

        fields = [error_field(replay(raw(document, x=text))[0]) for document in documents.values()]

        assert fields == [*documents]

    def test_minus_zero_is_zero(self) -> None:
        """JSON's ``-0`` has no point and no exponent."""
        first = deal(WINS, bet("b1"), shoe={"id": "s-1", "drawn": "@x"})

        (output,) = replay(raw(first, x="-0"))

        assert output["status"] == "settled"

    @pytest.mark.parametrize(
        "text", ["NaN", "Infinity", "-Infinity", "01", "+1", "0x1", "1" * 5000]
    )
    def test_that_are_invalid_json_are_rejected(self, text: str) -> None:
        """NaN, infinities and numbers too long to convert reject the line without an exception."""
        document = deal(WINS, bet("b1"), shoe={"id": "s-1", "drawn": "@x"})

        (output,) = replay(raw(document, x=text))

        assert output["status"] == "rejected"


class TestDetail4Money:
    """ASCII digits, at most two decimals; a stake is above zero."""

    @pytest.mark.parametrize(
        "stake",
        [
            "10,00",
            "10.",
            ".5",
            "010",
            "00",
            "1_000",
            "1 000",
            "10.00\n",
            "\u0661\u0660",
            "1\uff10",
            "10.005",
            "-1",
        ],
    )
    def test_of_another_form_is_rejected(self, stake: str) -> None:
        """Including digits of other scripts and a trailing line feed."""
        assert rejected_field(WINS, bet("b1", stake=stake)) == "bets[0].stake"

    @pytest.mark.parametrize(
        ("stake", "paid"),
        [
            ("10", "20.00"),
            ("10.5", "21.00"),
            ("0.01", "0.02"),
            ("999999999999.99", "1999999999999.98"),
        ],
    )
    def test_is_paid_with_two_decimals_exact_to_the_cent(self, stake: str, paid: str) -> None:
        """Twice the stake; the greatest has twelve digits before the point."""
        assert graded(WINS, bet("b1", stake=stake)) == [f"win {paid}"]

    def test_may_be_zero_except_as_a_stake(self) -> None:
        """A raise and a report of zero are read; the bet wins, so the report differs."""
        output = bet("b1", raised="0", reported="0")

        assert verdict_of(WINS, output) == "payout-differs"
        assert rejected_field(WINS, bet("b1", stake="0.00")) == "bets[0].stake"


class TestDetail5Times:
    """Opened, closed and ended in this order; 0 to 3 decimals."""

    def test_may_all_be_equal(self) -> None:
        """A bet at that time counts; an insurance never does."""
        fields = {"opened_at": IN_TIME, "closed_at": IN_TIME, "ended_at": IN_TIME}
        text = "1:9S D:AD 1:TC D:8C"
        insured = bet("b2", "insurance", "5.00", placed_at=IN_TIME)

        assert graded(text, bet("b1"), insured, **fields) == ["push 10.00", "void 5.00"]

    @pytest.mark.parametrize(
        ("field", "value", "named"),
        [
            ("opened_at", "2026-11-21T21:10:25.001Z", "closed_at"),
            ("closed_at", "2026-11-21T21:11:02.001Z", "ended_at"),
            ("ended_at", "2026-11-21T21:10:24.999Z", "ended_at"),
            ("opened_at", "2026-11-21T21:10:10.0000Z", "opened_at"),
            ("opened_at", "2026-11-21T21:10:10+01:00", "opened_at"),
            ("opened_at", "2026-02-29T21:10:10Z", "opened_at"),
        ],
    )
    def test_of_another_order_or_form_are_rejected(
        self, field: str, value: str, named: str
    ) -> None:
        """One millisecond out of order is enough; 2026 has no 29 February."""
        assert rejected_field(WINS, bet("b1"), **{field: value}) == named

    def test_are_compared_to_the_millisecond(self) -> None:
        """Closing at 25.5 s: a bet at 25.50 is in time, one at 25.501 is late."""
        bets = [
            bet("b1", placed_at="2026-11-21T21:10:25.50Z"),
            bet("b2", "21+3", "1.00", placed_at="2026-11-21T21:10:25.501Z"),
        ]

        output = graded(WINS, *bets, closed_at="2026-11-21T21:10:25.5Z")

        assert output == ["win 20.00", "void 1.00"]
