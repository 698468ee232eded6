"""Legal rounds are settled, pay no more than the printed maximum, and round-trip."""

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.feed import content_digest, document_of, parse_document
from rounds.replay import replay_lines
from rounds.rules.facts import Round
from rounds.simulation.casino import Order, simulate
from tests.repetitions import repeated
from tests.rounds.properties.printed_maximum import most_paid
from tests.rounds.properties.simulated import (
    NAMES,
    START,
    Document,
    legal_rounds,
    payouts,
    pool_of,
    property_settings,
)

DEEP: Final = repeated(20_000)


@pytest.mark.parametrize("game", NAMES)
class TestALegalRound:
    """A round of the simulator."""

    def test_is_settled_in_its_feed(self, game: str) -> None:
        """From bytes to results, with its shoe announced, for any seed."""

        @given(st.integers(0, 2**64))
        @property_settings(12)
        def holds(seed: int) -> None:
            order = Order([game], rounds=25, seed=f"{seed}", start=START, tables=2)

            statuses = [output["status"] for output in replay_lines(feed_of(order))]

            assert statuses == ["settled"] * 25

        holds()

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_is_settled_in_a_long_feed(self, game: str) -> None:
        """One feed of five tables."""
        order = Order([game], rounds=DEEP, seed="deep", start=START, tables=5)

        unsettled = [
            output for output in replay_lines(feed_of(order)) if output["status"] != "settled"
        ]

        assert unsettled == []

    def test_pays_no_more_than_the_printed_maximum(self, game: str) -> None:
        """Neither for one bet nor for all bets together."""
        for line in pool_of(game):
            document = json.loads(line)
            most = {bet["id"]: most_paid(document, bet) for bet in document["bets"]}

            paid = payouts(document)

            assert all(paid[bet] <= most[bet] for bet in paid)
            assert sum(paid.values()) <= sum(most.values())

    def test_is_the_same_after_parsing_and_writing(self, game: str) -> None:
        """``document_of`` is the inverse of ``parse_document``; the digest stays the same."""

        @given(legal_rounds(game))
        @property_settings(100)
        def holds(document: Document) -> None:
            facts = parse_document(document)
            assert isinstance(facts, Round)

            again = json.loads(json.dumps(document_of(facts)))

            assert again == document
            assert parse_document(again) == facts
            assert content_digest(parse_document(again)) == content_digest(facts)

        holds()


def feed_of(order: Order) -> list[bytes]:
    """The lines of a simulated feed."""
    return [line.text.encode() + b"\n" for line in simulate(order)]
