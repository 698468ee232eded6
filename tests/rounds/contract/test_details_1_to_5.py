"""Contract, "Lines and documents": details 1 to 5, each by a case worked out by hand."""

import json

import pytest

from rounds.documents import read_documents
from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    IN_TIME,
    MFB,
    QB,
    ZAP,
    Document,
    bet,
    bonus,
    deal,
    found,
    graded,
    left,
    refused,
    refused_field,
    replay,
    shoe,
)

WINS = "1:9S D:TD 1:TC D:8C"
"""Nineteen against eighteen."""
MFB_WINS = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
"""The same, box 2 on eighteen: no points."""
NATURAL = "P:4S B:7H P:5D B:TC"
"""Nine against seven."""
SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
"""Both boxes fourteen: 2 + 4."""


def raw(document: Document, **texts: str) -> bytes:
    """The document as JSON in which fields hold these very texts: ``1e2`` for ``"@1"``."""
    line = json.dumps(document)
    for name, text in texts.items():
        line = line.replace(f'"@{name}"', text)
    return line.encode()


class TestDetail1Lines:
    """Blank lines count; good shoes are silent."""

    def test_numbers_are_those_of_the_file(self) -> None:
        """CRLF, blanks, spaces and a shoe between; the last line has no end."""
        feed = [b"\r\n", b"[]\r\n", b" \t \r\n", *map(raw, [shoe()]), b"\n", b"{}\n", b"7"]

        output = replay(*[line.removesuffix(b"\n") for line in feed])

        assert [line["line"] for line in output] == [2, 6, 7]

    def test_a_bad_shoe_has_no_round(self) -> None:
        """Whatever it calls itself."""
        (output,) = replay(shoe(round="r-1"))

        assert (output["status"], output["round"], output["line"]) == ("rejected", None, 1)

    @pytest.mark.parametrize("line", [b"\x0c", b"\x0b", b"\xc2\xa0", b"\0"])
    def test_what_json_does_not_skip_is_not_blank(self, line: bytes) -> None:
        """Replay and ingest agree: a form feed is a broken document, no blank line."""
        (output,) = replay(line)
        ((document,),) = read_documents([line + b"\n"])

        assert refused_field(output) == "document"
        assert (document.line, document.content) == (1, line + b"\n")


class TestDetail2Fields:
    """Every listed field is required unless it is marked otherwise."""

    @pytest.mark.parametrize("field", ["table", "opened_at", "burnt", "burnt_face_down", "shoe"])
    def test_of_a_shoe_are_required(self, field: str) -> None:
        """All five."""
        announced = shoe()
        del announced[field]

        (output,) = replay(announced)

        assert refused_field(output) == field

    @pytest.mark.parametrize("field", ["level", "spins", "multiplier"])
    def test_of_a_bonus_are_required(self, field: str) -> None:
        """Specials may be absent."""
        played = bonus("minor", "2", "1:2", "", "", "")
        assert "specials" not in played
        assert found(SIX_POINTS, bet("b1"), rules=MFB, bonus=played) == "settled"
        del played[field]

        assert refused(SIX_POINTS, bet("b1"), rules=MFB, bonus=played) == f"bonus.{field}"

    @pytest.mark.parametrize("field", ["id", "drawn"])
    def test_of_the_shoe_of_a_round_are_required(self, field: str) -> None:
        """Both."""
        other = {"id": "s-1", "drawn": 52}
        del other[field]

        assert refused(WINS, bet("b1"), shoe=other) == f"shoe.{field}"

    def test_a_shoe_is_forbidden_at_zappit_and_a_box_at_baccarat(self) -> None:
        """Even one that says nothing."""
        assert refused(WINS, bet("b1"), rules=ZAP, shoe=None) == "shoe"
        assert refused(NATURAL, bet("b1", "player"), rules=BAC) == "bets[0].box"
        assert refused(NATURAL, bet("b1", "player", box=0), rules=BAC) == "bets[0].box"

    @pytest.mark.parametrize(
        "field",
        ["disconnects", "incident", "bonus", "multipliers", "shoe"],
    )
    def test_null_is_not_absent(self, field: str) -> None:
        """A field that is there has its form."""
        rules = {"bonus": MFB, "multipliers": QB}.get(field, BJ)

        assert refused(WINS, bet("b1"), rules=rules, **{field: None}) == field

    @pytest.mark.parametrize("field", ["raised", "play", "funding", "behind", "reported"])
    def test_null_is_not_absent_in_a_bet_either(self, field: str) -> None:
        """The same for a bet's optional fields."""
        assert refused(WINS, bet("b1") | {field: None}) == f"bets[0].{field}"


class TestDetail3Integers:
    """No point, no exponent; booleans are none."""

    @pytest.mark.parametrize("text", ["1.0", "1e0", "1E0", "10e-1", "true", '"1"', "1e400"])
    def test_of_another_form_are_rejected(self, text: str) -> None:
        """Wherever an integer stands."""
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

        fields = [
            refused_field(replay(raw(document, x=text))[0]) for document in documents.values()
        ]

        assert fields == [*documents]

    def test_minus_zero_is_zero(self) -> None:
        """JSON's ``-0`` has no point and no exponent."""
        first = deal(WINS, bet("b1"), shoe={"id": "s-1", "drawn": "@x"})

        (output,) = replay(raw(first, x="-0"))

        assert output["status"] == "settled"

    @pytest.mark.parametrize(
        "text", ["NaN", "Infinity", "-Infinity", "01", "+1", "0x1", "1" * 5000]
    )
    def test_that_json_does_not_have_are_rejected(self, text: str) -> None:
        """Nor does anything fall over."""
        document = deal(WINS, bet("b1"), shoe={"id": "s-1", "drawn": "@x"})

        (output,) = replay(raw(document, x=text))

        assert output["status"] == "rejected"


class TestDetail4Money:
    """ASCII digits, at most two decimals, above zero where it is a stake."""

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
        """Also digits of other scripts and a line feed at the end."""
        assert refused(WINS, bet("b1", stake=stake)) == "bets[0].stake"

    @pytest.mark.parametrize(
        ("stake", "paid"),
        [
            ("10", "20.00"),
            ("10.5", "21.00"),
            ("0.01", "0.02"),
            ("999999999999.99", "1999999999999.98"),
        ],
    )
    def test_comes_out_with_two_decimals_exact_to_the_cent(self, stake: str, paid: str) -> None:
        """Twice the stake; the greatest has twelve digits before the point."""
        assert graded(WINS, bet("b1", stake=stake)) == [f"win {paid}"]

    def test_may_be_nothing_where_it_is_no_stake(self) -> None:
        """A raise of nothing and a payout of nothing; the bet wins, so the report is wrong."""
        output = bet("b1", raised="0", reported="0")

        assert found(WINS, output) == "payout-differs"
        assert refused(WINS, bet("b1", stake="0.00")) == "bets[0].stake"


class TestDetail5Times:
    """Opened, closed and ended in this order; 0 to 3 decimals."""

    def test_may_all_be_one_moment(self) -> None:
        """A bet at that moment is in time; an insurance never can be."""
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
        """A millisecond is enough; 2026 has no 29 February."""
        assert refused(WINS, bet("b1"), **{field: value}) == named

    def test_count_milliseconds(self) -> None:
        """Closing at 25.5 s: a bet at 25.50 is in time, one at 25.501 is late."""
        bets = [
            bet("b1", placed_at="2026-11-21T21:10:25.50Z"),
            bet("b2", "21+3", "1.00", placed_at="2026-11-21T21:10:25.501Z"),
        ]

        output = graded(WINS, *bets, closed_at="2026-11-21T21:10:25.5Z")

        assert output == ["win 20.00", "void 1.00"]
