"""Small certificate payloads for tests of their documents."""

from typing import Any, Final

CHART: Final[dict[str, Any]] = {
    "upcards": ["2", "A"],
    "rows": [
        {"hand": "hard 11", "decisions": ["DH", "H"]},
        {"hand": "soft 18", "decisions": ["DS", "S"]},
        {"hand": "8+8", "decisions": ["P", "ZS"]},
    ],
}
DIGEST: Final = "cd" * 32
CARDS: Final[dict[str, Any]] = {
    "bet": "main",
    "declared": "99.57",
    "least": "90.500707",
    "most": "182.895292",
    "attainable": True,
    "mean_multipliers": {"3": "3.7943", "5": "2.8651"},
    "most_even_chances": {},
}
GRID: Final[dict[str, Any]] = {
    "bet": "mega_fire_blaze",
    "declared": "97.47",
    "least": "21.536000",
    "most": "882.930000",
    "attainable": True,
    "share_of_the_way": "8.814900",
    "mean_multipliers": {"minor": "3.9393", "mega": "106.3859"},
}


def payload() -> dict[str, Any]:
    """The payload of a game with two bets."""
    bet: dict[str, Any] = {
        "basis": "initial",
        "strategy": None,
        "leaves_out": None,
        "other_readings": [],
    }
    main = {
        "bet": "main",
        "rtp": "98.714149",
        "declared": "98.87",
        "verdict": "not reproduced",
        "strategy": "td",
        "variance": "1.125401",
        "standard_deviation": "1.060849",
        "strategy_chart": CHART,
        "other_readings": [
            {
                "ambiguity": "zap-of-split-hands",
                "title": "Zap after a split",
                "adopted": "Not allowed",
                "reading": "Allowed, without doubling",
                "rtp": "98.877535",
            }
        ],
    }
    pair = {"bet": "perfect_pair", "rtp": "86.970609", "declared": "95.26"}
    return {
        "rules": "zappit-blackjack/1",
        "game": "Zappit <Blackjack>",
        "sheet": "ZAP",
        "decks": 6,
        "in_force_from": "2026-01-01",
        "rules_sha256": "ab" * 32,
        "software": {"version": "0.1.0", "build": "ef" * 32},
        "computed_at": "2026-11-22T03:00:00+00:00",
        "returns": [bet | main, bet | pair | {"verdict": "contradiction"}],
    }


def with_implied(
    implied: dict[str, Any], *, weights: dict[str, str] | None = None
) -> dict[str, Any]:
    """The payload of a game that needs an operator's weights."""
    content = payload()
    content["returns"][0]["implied"] = implied
    return content | {"weights": weights}
