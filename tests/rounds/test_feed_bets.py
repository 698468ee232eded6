"""Bets of the feed, alone and together."""

import pytest

from rounds.feed import document_of, parse_document
from rounds.rules.facts import Round
from tests.rounds.feed_documents import document, error_of, with_bet
from tests.rounds.rules.dealing import BACCARAT, OPENED_AT, QUANTUM, bet, dealt


class TestABet:
    """Contract, "A bet", details 7 and 10."""

    @pytest.mark.parametrize(
        "play",
        ["", "H", "HHS", "D", "P,", "PH,D", "ZD", "HP,", "PHS,HHHZ", "SSDDZZ", "HSDZPHSDZ,HSDZ"],
    )
    def test_accepts_well_formed_plays(self, play: str) -> None:
        """Detail 10; whether a play is legal is for the rules."""
        output = parse_document(with_bet(play=play))

        assert isinstance(output, Round)
        assert output.bets[0].play == play

    @pytest.mark.parametrize(
        "play", ["X", "h", "P", "P,,", "PP,,", "PH", ",", "H,", " ", "H\n", 1, None, ["H"]]
    )
    def test_refuses_malformed_plays(self, play: object) -> None:
        """Detail 10."""
        assert error_of(with_bet(play=play)).field == "bets[0].play"

    def test_that_is_no_main_bet_has_no_play_and_no_raise(self) -> None:
        """Detail 7; a raise of 0.00 is allowed."""
        assert error_of(with_bet(kind="21+3", play="H")).field == "bets[0].play"
        assert error_of(with_bet(kind="21+3", raised="1")).field == "bets[0].raised"
        assert error_of(with_bet(BACCARAT, raised="1")).field == "bets[0].raised"
        assert isinstance(parse_document(with_bet(kind="21+3", raised="0.00")), Round)

    def test_behind_has_no_play(self) -> None:
        """Detail 7: the owner plays."""
        assert error_of(with_bet(behind=True, play="H")).field == "bets[0].play"

    def test_follows_only_as_a_main_bet_behind(self) -> None:
        """Detail 7."""
        assert error_of(with_bet(follows=True)).field == "bets[0].follows"
        assert (
            error_of(with_bet(kind="21+3", behind=True, follows=False)).field == "bets[0].follows"
        )
        assert isinstance(parse_document(with_bet(behind=True, follows=True)), Round)

    @pytest.mark.parametrize("field", ["behind", "follows"])
    @pytest.mark.parametrize("value", ["true", 1, 0, None, []])
    def test_has_flags_of_true_or_false(self, field: str, value: object) -> None:
        """Wrong types are rejected."""
        assert error_of(with_bet(**{"behind": True, field: value})).field == f"bets[0].{field}"

    @pytest.mark.parametrize("funding", ["gold", "", None, True, []])
    def test_is_funded_by_cash_or_golden_chips(self, funding: object) -> None:
        """Contract, "A bet"."""
        assert error_of(with_bet(QUANTUM, funding=funding)).field == "bets[0].funding"

    @pytest.mark.parametrize("value", [None, [], 17, "bet"])
    def test_is_an_object(self, value: object) -> None:
        """Wrong types are rejected."""
        assert error_of(document(bets=[value])).field == "bets[0]"

    def test_is_one_of_a_list(self) -> None:
        """Wrong types are rejected."""
        assert error_of(document(bets={})).field == "bets"

    def test_has_an_id_of_its_own(self) -> None:
        """Status ``rejected``: a duplicate bet id."""
        output = document_of(dealt("1:TS D:9H 1:8S D:8C", bet(), bet("21+3", id="main-1")))

        error = error_of(output)

        assert (error.field, error.found) == ("bets[1].id", "'main-1' again")

    def test_is_one_of_a_million_at_most(self) -> None:
        """Contract, "A round"."""
        assert error_of(document(bets=[None] * 1_000_001)).needed == "at most 1000000 bets"


class TestBetsTogether:
    """What a document may hold depends on all its bets (detail 9)."""

    def test_are_refused_when_a_player_has_two_main_bets_on_a_box(self) -> None:
        """The rule set says so; the reading names the bet."""
        two = dealt("1:TS D:9H 1:8S D:8C", bet(), bet(id="b2"), rules=QUANTUM)

        error = error_of(document_of(two))

        assert (error.field, error.round) == ("bets[1]", "r-1")


class TestACrowd:
    """Many bets are parsed in groups, with the same result as one by one."""

    CROWD = tuple(
        bet(
            "21+3" if number % 5 == 0 else "main",
            id=f"b{number}",
            player=f"p-{number}",
            stake=100 * (1 + number % 7),
            golden=number % 3 == 0,
            reported_cents=number if number % 4 == 0 else None,
            placed_at=OPENED_AT + number,
        )
        for number in range(200)
    )

    def test_survives_a_round_trip(self) -> None:
        """Two hundred bets of many kinds."""
        facts = dealt("1:TS D:9H 1:8S D:8C", *self.CROWD, rules=QUANTUM)

        assert parse_document(document_of(facts)) == facts

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("id", ""),
            ("id", 7),
            ("id", "b3"),
            ("player", None),
            ("participation", "nul\0"),
            ("kind", "MAIN"),
            ("kind", ["main"]),
            ("stake", "0"),
            ("stake", 1),
            ("box", 1.0),
            ("box", True),
            ("box", 8),
            ("raised", "-1"),
            ("play", "X"),
            ("funding", "gold"),
            ("behind", 0),
            ("behind", True),
            ("follows", True),
            ("placed_at", "yesterday"),
            ("placed_at", []),
            ("reported", 1),
            ("note", ""),
        ],
    )
    def test_is_refused_for_the_same_field_of_the_same_bet(self, field: str, value: object) -> None:
        """One invalid bet of two hundred."""
        output = document_of(dealt("", *self.CROWD, rules=QUANTUM))
        output["bets"][71][field] = value
        alone = output | {"bets": [output["bets"][71]]}

        error = error_of(output)

        assert error.field == f"bets[71].{field}"
        if field != "id" or value != "b3":  # an id is only repeated among others
            assert error_of(alone).needed == error.needed

    def test_may_have_unprintable_texts(self) -> None:
        """They are valid."""
        output = document_of(dealt("", *self.CROWD, rules=QUANTUM))
        output["bets"][71]["player"] = "a\nb"

        facts = parse_document(output)

        assert isinstance(facts, Round)
        assert facts.bets[71].player == "a\nb"
        assert facts.bets[70] == self.CROWD[70]

    @pytest.mark.parametrize("value", [None, [], 17, "bet"])
    def test_is_of_objects(self, value: object) -> None:
        """Wrong types are rejected."""
        output = document_of(dealt("", *self.CROWD, rules=QUANTUM))
        output["bets"][71] = value

        assert error_of(output).field == "bets[71]"
