"""The example round of the feed contract, for tests of pages."""

from typing import Any


def example_of_the_contract() -> dict[str, Any]:
    """The round of the feed contract, "A round": eights split against a dealer 18."""
    customer = {"player": "p-381", "participation": "N000000000000381", "box": 1}
    return {
        "feed": "round/1",
        "round": "bj-7-20261121-211010",
        "table": "bj-7",
        "rules": "blackjack/1",
        "shoe": {"id": "bj-7-000123", "drawn": 57},
        "opened_at": "2026-11-21T21:10:10Z",
        "closed_at": "2026-11-21T21:10:25Z",
        "ended_at": "2026-11-21T21:11:02Z",
        "session": "M000000000000001",
        "cards": [
            *(["1", "8H"], ["D", "AS"], ["1", "8D"], ["D", "7S"]),
            *(["1a", "3C"], ["1a", "KD"], ["1b", "TD"]),
        ],
        "bets": [
            {
                **customer,
                "id": "b1",
                "kind": "main",
                "stake": "10.00",
                "raised": "10.00",
                "play": "PH,",
                "placed_at": "2026-11-21T21:10:15Z",
            },
            {
                **customer,
                "id": "b2",
                "kind": "perfect_pairs",
                "stake": "1.00",
                "placed_at": "2026-11-21T21:10:16Z",
            },
        ],
    }
