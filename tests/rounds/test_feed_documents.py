"""Documents of the feed: what is read, what is rejected, and the error texts."""

import json
from typing import Any

import pytest

from rounds.feed import (
    FeedError,
    document_of,
    document_of_shoe,
    parse_document,
    parse_line,
)
from rounds.rules.facts import Round
from tests.rounds.feed_documents import PLAIN, SHOE, Document, document, error_of, with_bet
from tests.rounds.rules.dealing import (
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    OPENED_AT,
    QUANTUM,
    bet,
    bonus,
    dealt,
    left,
)


def without(field: str, rules: str = BLACKJACK) -> Document:
    """A valid document without one field."""
    return {name: value for name, value in document(rules).items() if name != field}


def error_of_line(line: str | bytes) -> FeedError:
    """The error of a line."""
    with pytest.raises(FeedError) as error:
        parse_line(line)
    return error.value


class TestASoundDocument:
    """Parsing and writing are inverse."""

    @pytest.mark.parametrize("rules", PLAIN)
    def test_survives_a_round_trip(self, rules: str) -> None:
        """For every rule set."""
        facts = PLAIN[rules]

        assert parse_document(document_of(facts)) == facts

    def test_keeps_every_field_of_a_bet(self) -> None:
        """With values other than the defaults."""
        facts = dealt(
            "1:8S D:9H 1:8C D:8C 1a:2S 1b:3S",
            bet(stake=1050, raised_cents=1050, play="PS,", reported_cents=2100),
            bet(id="b2", player="p-2", behind=True, follows=False, placed_at=OPENED_AT + 67),
        )

        assert parse_document(document_of(facts)) == facts

    def test_keeps_bonus_disconnects_and_incident(self) -> None:
        """Also illegal values, which the rules judge."""
        facts = dealt(
            "1:TS 2:9S D:9H 1:8S 2:9C D:8C",
            bet(golden=True),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("mini", "8", "1:2 -7:5", "", specials=(("1", "star", "10"),)),
            disconnects=(left(seen=4, own="D:8C"), left("p-2")),
            malfunction=True,
        )

        assert parse_document(document_of(facts)) == facts

    def test_keeps_multiplier_cards_and_none_of_them(self) -> None:
        """Detail 12: a round without them is for the rules to hold."""
        without_any = PLAIN[QUANTUM]._replace(multipliers=None)

        assert parse_document(document_of(without_any)) == without_any
        assert parse_document(document_of(PLAIN[QUANTUM])) == PLAIN[QUANTUM]

    def test_of_a_shoe_survives_a_round_trip(self) -> None:
        """Every field."""
        assert parse_document(document_of_shoe(SHOE)) == SHOE

    def test_may_state_defaults(self) -> None:
        """Contract, "A bet": raised, play, funding and behind."""
        output = with_bet(raised="0.00", play="", funding="cash", behind=False)

        assert parse_document(output | {"disconnects": []}) == PLAIN[BLACKJACK]

    def test_may_have_no_bets(self) -> None:
        """0 to 1,000,000 of them."""
        assert parse_document(document(bets=[])) == PLAIN[BLACKJACK]._replace(bets=())

    def test_takes_times_of_0_to_3_decimals(self) -> None:
        """Detail 5."""
        times = ["2026-11-21T10:00:05Z", "2026-11-21T10:00:05.5Z", "2026-11-21T10:00:05.05Z"]
        output = [
            parse_document(with_bet(placed_at=time)) for time in [*times, times[0][:-1] + ".067Z"]
        ]

        at = [round_.bets[0].placed_at % 1000 for round_ in output if isinstance(round_, Round)]

        assert at == [0, 500, 50, 67]

    def test_may_leave_specials_out(self) -> None:
        """Detail 2."""
        played = {"level": "minor", "spins": [[], [], []], "multiplier": "2"}

        output = parse_document(document(MEGA_FIRE_BLAZE, bonus=played))

        assert isinstance(output, Round)
        assert output.bonus == bonus("minor", "2", "", "", "")

    def test_takes_no_cards_of_a_disconnect_for_an_absent_list(self) -> None:
        """Detail 13: ``"cards": []`` means absent, so it needs no ``cards_seen``."""
        entry = {"player": "p-1", "at": "2026-11-21T10:00:05Z", "cards": []}

        output = parse_document(document(disconnects=[entry]))

        assert isinstance(output, Round)
        assert output.disconnects[0].cards == ()


class TestALineThatIsNoDocument:
    """Contract, status ``rejected``."""

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b'{"feed": "round/1"', id="cut off"),
            pytest.param(b'{"feed": "round/1"} {}', id="two documents"),
            pytest.param(b"\xff\xfe{}", id="no UTF-8"),
            pytest.param('{"feed":"shoe/1"}'.encode("utf-16"), id="UTF-16"),
            pytest.param(b"\xef\xbb\xbf{}", id="a byte order mark"),
            pytest.param(b'{"feed": NaN}', id="not a number"),
            pytest.param(b'{"feed": -Infinity}', id="infinity"),
            pytest.param(b"[" * 100_000, id="nested deeply"),
            pytest.param(b'{"drawn": 1' + b"0" * 5000 + b"}", id="a huge integer"),
            pytest.param(b'{"feed": "round/1", "feed": "round/1"}', id="a repeated key"),
            pytest.param(b'{"feed": "a\nb"}', id="a control character"),
        ],
    )
    def test_is_refused(self, line: bytes) -> None:
        """The error names the document, not a field."""
        error = error_of_line(line)

        assert error.field == "document"
        assert error.round is None

    @pytest.mark.parametrize(
        "output",
        [[], 17, "text", None, True, 1.5],
        ids=["list", "int", "str", "null", "bool", "float"],
    )
    def test_is_refused_when_it_is_no_object(self, output: object) -> None:
        """Detail: not an object."""
        assert error_of_line(json.dumps(output)).needed == "an object"

    def test_may_come_as_text(self) -> None:
        """As str or bytes."""
        line = json.dumps(document())

        assert parse_line(line) == parse_line(line.encode()) == PLAIN[BLACKJACK]

    @pytest.mark.parametrize("feed", ["rounds/1", "round/2", "", None, 1, [], {}])
    def test_is_refused_for_an_unknown_feed(self, feed: object) -> None:
        """The error still has the round id."""
        error = error_of(document(feed=feed))

        assert (error.field, error.round) == ("feed", "r-1")

    def test_is_refused_without_a_feed(self) -> None:
        """The error still has the round id."""
        assert error_of(without("feed")).found == "nothing"


REQUIRED = ("round", "table", "rules", "opened_at", "closed_at", "ended_at", "session", "cards")


class TestAFeedError:
    """It names the field, the state found and the state needed."""

    @pytest.mark.parametrize("field", [*REQUIRED, "bets", "shoe"])
    def test_names_a_missing_field(self, field: str) -> None:
        """Detail 2: every listed field is required unless marked otherwise."""
        error = error_of(without(field))

        assert (error.field, error.found) == (field, "nothing")

    @pytest.mark.parametrize(
        "field", ["id", "player", "participation", "kind", "stake", "placed_at"]
    )
    def test_names_a_missing_field_of_a_bet(self, field: str) -> None:
        """Detail 2."""
        plain = document()
        (only,) = plain["bets"]
        del only[field]

        assert error_of(plain).field == f"bets[0].{field}"

    def test_names_an_unknown_field(self) -> None:
        """Contract: unknown fields are an error."""
        assert error_of(document(cut=1)).field == "cut"
        assert error_of(with_bet(stakes="1")).field == "bets[0].stakes"
        assert error_of(document(shoe={"id": "s", "drawn": 0, "cut": 1})).field == "shoe.cut"
        assert str(error_of(document(**{"": 1}))).startswith("'': found an unknown field")
        assert error_of(with_bet(**{"": 1})).field == "bets[0].''"

    def test_reads_as_a_sentence(self) -> None:
        """As in the result line."""
        error = error_of(with_bet(stake="1.234"))

        assert str(error) == (
            "bets[0].stake: found '1.234', needed an amount in euro with at most two decimals,"
            ' such as "10.00"'
        )

    def test_has_the_round_id_if_it_is_valid(self) -> None:
        """Contract, "What comes out": id or null."""
        assert error_of(document(session=1)).round == "r-1"
        assert error_of(document(round="a b")).round is None
        assert error_of(without("round")).round is None
        assert error_of(document_of_shoe(SHOE) | {"burnt": 1, "round": "r-1"}).round is None

    def test_shortens_the_value_found(self) -> None:
        """If it is long or deep."""
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        odd = [deep, {"a": deep}, "x" * 1000, 10**4000, True, False, None, 1.5, "\ud800"]

        descriptions = [error_of(document(incident=value)).found for value in odd]

        assert descriptions == [
            "a list of 1",
            "an object of 1 fields",
            repr("x" * 60 + "…"),
            "an integer of great length",
            *("true", "false", "null", "1.5", r"'\ud800'"),
        ]
