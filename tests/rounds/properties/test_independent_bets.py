"""The payout of a bet does not depend on other bets (issue 3)."""

import json
from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Final

import pytest
from hypothesis import given
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
    raise_of,
    seldom,
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
    """The main bets of the owners of hands that were played at the table and count."""
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
    """Whether another bet of the player on the box goes with this main bet."""
    return any(
        bet["player"] == main["player"] and bet["box"] == main["box"] and bet["kind"] != "main"
        for bet in document["bets"]
    )


def may_go(document: Document, bet: Document) -> bool:
    """Whether the round is as legal without a bet: no card, box or other bet needs it.

    That is so of every bet that is no main bet, of void ones and of bets behind on which nothing
    rests, and of a main bet that another player of the box played alike.
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


@pytest.mark.parametrize("game", NAMES)
class TestABet:
    """Of a legal round."""

    def test_that_is_taken_away_changes_no_other(self, game: str) -> None:
        """Any number of bets that the round does not need."""

        @given(legal_rounds(game), st.data())
        @seldom(120)
        def holds(document: Document, data: st.DataObject) -> None:
            before = payouts(document)
            bets = document["bets"]
            for bet in data.draw(st.permutations(bets)) if len(bets) < 40 else bets[:]:
                if not may_go(document, bet):
                    continue
                document = document | {
                    "bets": [entry for entry in document["bets"] if entry is not bet]
                }
                assert payouts(document) == {
                    entry["id"]: before[entry["id"]] for entry in document["bets"]
                }

        holds()

    def test_that_is_added_changes_no_other(self, game: str) -> None:
        """A side bet, a bet behind, one more player of a shared hand, a bet that comes late."""

        @given(legal_rounds(game), STAKES, st.data())
        @seldom(150)
        def holds(document: Document, stake: str, data: st.DataObject) -> None:
            before = payouts(document)
            added = data.draw(st.sampled_from([*newcomers(document, stake)]))

            after = payouts(document | {"bets": [added, *document["bets"]]})

            assert after == before | {"new": after["new"]}

        holds()

    def test_is_paid_alike_wherever_it_is_listed(self, game: str) -> None:
        """The order of bets does not matter."""

        @given(legal_rounds(game), st.randoms())
        @seldom(100)
        def holds(document: Document, rng: object) -> None:
            before = answer(document)
            rng.shuffle(document["bets"])  # type: ignore[attr-defined]  # a Random of hypothesis

            assert answer(document) == before

        holds()

    def test_is_given_back_whole_when_it_is_void(self, game: str) -> None:
        """Stake and raise; all bets of a player who left before betting closed."""

        @given(legal_rounds(game), st.data())
        @seldom(100)
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
            assert output["status"] == "held" or own <= voids.keys()
            for bet in document["bets"]:
                if bet["id"] in voids:
                    assert cents(voids[bet["id"]]["payout"]) == cents(bet["stake"]) + raise_of(bet)

        holds()

    def test_is_given_back_whole_when_the_round_is_void(self, game: str) -> None:
        """A malfunction, with all cards gone so that it voids Mega Fire Blaze as well."""

        @given(legal_rounds(game))
        @seldom(60)
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


@pytest.mark.parametrize("game", FAMILY)
class TestBetsOnOneHand:
    """Players who share a box and a play, and bets behind an owner."""

    def test_are_paid_alike(self, game: str) -> None:
        """In proportion to the stake up to one rounding for each hand; equal stakes, equal pay."""

        @given(legal_rounds(game), st.integers(1, 99_999), st.data())
        @seldom(150)
        def holds(document: Document, stake: int, data: st.DataObject) -> None:
            document = unreported(document)
            owners = [bet for bet in mains(document) if "funding" not in bet]
            if not owners:
                return
            main = data.draw(st.sampled_from(owners))
            hands = 1 + main.get("play", "").count("P")
            share = Fraction(paid_for(document, main, FINE), FINE)

            paid = paid_for(document, main, stake)

            assert abs(paid - share * stake) <= Fraction(hands, 2)
            assert hands > 1 or paid == floor(share * stake + Fraction(1, 2))

        holds()

    def test_are_paid_the_same_for_the_same_stake(self, game: str) -> None:
        """A second player of the hand, or one behind its owner; at Zappit there is nobody else."""

        @given(legal_rounds(game), st.data())
        @seldom(100)
        def holds(document: Document, data: st.DataObject) -> None:
            owners = [bet for bet in mains(document) if "funding" not in bet]
            if not owners or document["rules"] == "zappit-blackjack/1":
                return
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
    """What a main bet would be paid at another stake, alone with whatever its box needs."""
    changed = json.loads(json.dumps(main))
    raises = main.get("play", "").count("D") + main.get("play", "").count("P")
    changed |= {"stake": money(stake), "raised": money(stake * raises)}
    others = [
        bet
        for bet in document["bets"]
        if bet["kind"] == "main" and not bet.get("behind") and bet["id"] != main["id"]
    ]
    return payouts(document | {"bets": [changed, *others]})[main["id"]]
