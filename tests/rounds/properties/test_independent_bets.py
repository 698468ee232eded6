"""The payout of a bet does not depend on other bets (issue 3)."""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import floor
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.rounds.properties.simulated import (
    FAMILY,
    NAMES,
    Document,
    answer,
    cents,
    legal_rounds,
    money,
    payouts,
    property_settings,
    raise_of,
    unreported,
)

NEWCOMER: Final = {"id": "new", "player": "p-new", "participation": "N9"}
KINDS: Final = {
    "blackjack/1": ("perfect_pairs", "21+3"),
    "mega-fire-blaze-blackjack/1": ("player_pair", "dealer_pair", "21+3"),
    "quantum-blackjack/1": ("player_pair", "21+3"),
    "baccarat/1": (
        *("player", "banker", "tie", "player_pair", "banker_pair", "either_pair"),
        *("perfect_pair", "big", "small"),
    ),
}
SHARED: Final = {"mega-fire-blaze-blackjack/1", "quantum-blackjack/1"}
STAKES: Final = st.integers(1, 99_999).map(money)


def mains(document: Document) -> list[Document]:
    """The counting main bets of the owners of hands played at the table."""
    counted = {
        bet for bet, output in answer(document)["bets"].items() if output["outcome"] != "void"
    }
    disconnected = {entry["player"] for entry in document.get("disconnects", [])}
    return [
        bet
        for bet in document["bets"]
        if bet["kind"] == "main" and not bet.get("behind")
        if bet["id"] in counted and bet["player"] not in disconnected
    ]


def has_dependents(document: Document, main: Document) -> bool:
    """Whether another bet of the player on the box depends on this main bet."""
    return any(
        bet["player"] == main["player"] and bet["box"] == main["box"] and bet["kind"] != "main"
        for bet in document["bets"]
    )


def is_removable(document: Document, bet: Document) -> bool:
    """Whether the round is legal without a bet: no card or other bet needs it.

    This holds for all bets but main bets, for void bets and bets behind without dependents,
    and for a main bet that another player of the box played alike.
    """
    if bet["kind"] != "main":
        return True
    if has_dependents(document, bet):
        return False
    if bet.get("behind") or answer(document)["bets"][bet["id"]]["outcome"] == "void":
        return True
    alike = [(main["box"], main.get("play", "")) for main in mains(document) if main is not bet]
    return document["rules"] in SHARED and (bet["box"], bet.get("play", "")) in alike


def newcomers(document: Document, stake: str) -> Iterator[Document]:
    """Bets that may be added to the round: they put no box in use and explain no card."""
    new = NEWCOMER | {"stake": stake, "placed_at": document["closed_at"]}
    if document["rules"] == "baccarat/1":
        yield from (new | {"kind": kind} for kind in KINDS["baccarat/1"])
        return
    zappit = document["rules"] == "zappit-blackjack/1"
    late = new | {"kind": "main", "box": 1, "placed_at": "2030-01-01T00:00:00Z", "play": "PD,Z"}
    yield late | {"raised": "7.77", "player": document["bets"][0]["player"] if zappit else "p-new"}
    for main in mains(document):
        side_bet = new | {"box": main["box"], "player": main["player"]}
        yield from (side_bet | {"kind": kind} for kind in KINDS.get(document["rules"], ()))
        raises = main.get("play", "").count("D") + main.get("play", "").count("P")
        own = new | {"kind": "main", "box": main["box"]}
        raised = {"raised": money(cents(stake) * raises)}
        if document["rules"] in SHARED:
            yield own | raised | {"play": main.get("play", "")}
        if document["rules"] == "blackjack/1":
            yield own | raised | {"behind": True}
            yield own | {"behind": True, "follows": False}


def for_games(names: Iterable[str]) -> pytest.MarkDecorator:
    """One test a game; the slow proofs have the others of the engine of blackjack."""
    quick = {"baccarat", "blackjack"}
    games = [
        pytest.param(name, marks=[] if name in quick else [pytest.mark.slow]) for name in names
    ]
    return pytest.mark.parametrize("game", games)


SHARED_TABLES: Final = [name for name in NAMES if name != "zappit"]
"""At Zappit one player has all bets, and the round needs each of them."""


class TestABet:
    """A bet of a legal round."""

    @pytest.mark.slow
    @for_games(SHARED_TABLES)
    def test_can_be_removed_without_changing_others(self, game: str) -> None:
        """Any number of bets that the round does not need."""
        removed: list[Document] = []

        @given(legal_rounds(game), st.data())
        @property_settings(120)
        def holds(document: Document, data: st.DataObject) -> None:
            before = payouts(document)
            bets = document["bets"]
            for bet in data.draw(st.permutations(bets)) if len(bets) < 40 else bets[:]:
                if not is_removable(document, bet):
                    continue
                removed.append(bet)
                document = document | {
                    "bets": [entry for entry in document["bets"] if entry is not bet]
                }
                assert payouts(document) == {
                    entry["id"]: before[entry["id"]] for entry in document["bets"]
                }

        holds()
        assert removed

    @for_games(NAMES)
    def test_can_be_added_without_changing_others(self, game: str) -> None:
        """A side bet, a bet behind, another player of a shared hand, a late bet."""

        @given(legal_rounds(game), STAKES, st.data())
        @property_settings(150)
        def holds(document: Document, stake: str, data: st.DataObject) -> None:
            before = payouts(document)
            added = data.draw(st.sampled_from([*newcomers(document, stake)]))

            after = payouts(document | {"bets": [added, *document["bets"]]})

            assert after == before | {"new": after["new"]}

        holds()

    @for_games(NAMES)
    def test_is_paid_the_same_at_any_position(self, game: str) -> None:
        """The order of bets does not matter."""

        @given(legal_rounds(game), st.randoms())
        @property_settings(100)
        def holds(document: Document, rng: object) -> None:
            before = answer(document)
            rng.shuffle(document["bets"])  # type: ignore[attr-defined]  # a Random of hypothesis

            assert answer(document) == before

        holds()

    @pytest.mark.slow
    @for_games(SHARED_TABLES)
    def test_is_refunded_in_full_if_void(self, game: str) -> None:
        """Stake and raise; all bets of a player who leaves before betting closes."""

        @given(legal_rounds(game), st.data())
        @property_settings(100)
        def holds(document: Document, data: st.DataObject) -> None:
            document = unreported(document)
            player = data.draw(st.sampled_from(sorted({bet["player"] for bet in document["bets"]})))
            left = {"player": player, "at": document["opened_at"]}
            disconnects = [
                entry for entry in document.get("disconnects", []) if entry["player"] != player
            ]

            output = answer(document | {"disconnects": [*disconnects, left]})

            voids = {
                bet_id: graded
                for bet_id, graded in output["bets"].items()
                if graded["outcome"] == "void"
            }
            own = {bet["id"] for bet in document["bets"] if bet["player"] == player}
            assume(output["status"] != "held")  # without the player's hands, the cards may not fit

            assert own <= voids.keys()
            for bet in document["bets"]:
                if bet["id"] in voids:
                    assert cents(voids[bet["id"]]["payout"]) == cents(bet["stake"]) + raise_of(bet)

        holds()

    @for_games(NAMES)
    def test_is_refunded_in_full_if_the_round_is_void(self, game: str) -> None:
        """A malfunction without cards, so that Mega Fire Blaze is void as well."""

        @given(legal_rounds(game))
        @property_settings(60)
        def holds(document: Document) -> None:
            broken = document | {"cards": [], "incident": "malfunction"}
            broken["disconnects"] = []

            output = answer(broken)

            assert output["status"] == "void"
            assert [(bet, graded["outcome"]) for bet, graded in output["bets"].items()] == [
                (bet["id"], "void") for bet in document["bets"]
            ]
            back = sum(cents(graded["payout"]) for graded in output["bets"].values())
            assert back == sum(cents(bet["stake"]) + raise_of(bet) for bet in document["bets"])

        holds()


class TestBetsOnOneHand:
    """Players who share a box and a play, and bets behind an owner."""

    @for_games(FAMILY)
    def test_are_paid_in_proportion_to_their_stakes(self, game: str) -> None:
        """Up to one rounding for each hand."""

        @given(legal_rounds(game), st.integers(1, 99_999), st.data())
        @property_settings(150)
        def holds(document: Document, stake: int, data: st.DataObject) -> None:
            document = unreported(document)
            owners = [bet for bet in mains(document) if "funding" not in bet]
            assume(owners)
            main = data.draw(st.sampled_from(owners))
            hands = 1 + main.get("play", "").count("P")
            share = Fraction(paid_for(document, main, FINE), FINE)

            paid = paid_for(document, main, stake)

            assert abs(paid - share * stake) <= Fraction(hands, 2)
            assert hands > 1 or paid == floor(share * stake + Fraction(1, 2))

        holds()

    @for_games(name for name in SHARED_TABLES if name in FAMILY)
    def test_are_paid_the_same_for_the_same_stake(self, game: str) -> None:
        """A second player of the hand, or one behind its owner; Zappit has only one player."""

        @given(legal_rounds(game), st.data())
        @property_settings(100)
        def holds(document: Document, data: st.DataObject) -> None:
            owners = [bet for bet in mains(document) if "funding" not in bet]
            assume(owners)
            main = data.draw(st.sampled_from(owners))
            twin = main | NEWCOMER
            if document["rules"] == "blackjack/1":
                twin = {name: value for name, value in twin.items() if name != "play"}
                twin["behind"] = True

            paid = payouts(document | {"bets": [*document["bets"], twin]})

            assert paid["new"] == paid[main["id"]]

        holds()


FINE: Final = 40_000_000
"""A stake in cents at which nothing is rounded: odds are of halves, multipliers too."""


def paid_for(document: Document, main: Document, stake: int) -> int:
    """The payout of a main bet at another stake, with only the bets that its box needs."""
    changed = json.loads(json.dumps(main))
    raises = main.get("play", "").count("D") + main.get("play", "").count("P")
    changed |= {"stake": money(stake), "raised": money(stake * raises)}
    others = [
        bet
        for bet in document["bets"]
        if bet["kind"] == "main" and not bet.get("behind") and bet["id"] != main["id"]
    ]
    return payouts(document | {"bets": [changed, *others]})[main["id"]]
