"""Figures published by others: ordinary blackjacks by public analysers, printed charts.

Sources: the readings, "Known values of ordinary rule sets" (independent public analysers; 3:2,
double any two, one split, one card on split Aces, no surrender, no insurance); the chart of the
Wizard of Odds for four to eight decks.
"""

import pytest

from compliance.certification.returns.blackjack.analysis import Play, analyse_game
from rounds.rules.blackjack.declaration import BlackjackGame
from tests.compliance.certification.blackjack import ordinary_games

PRINTED_CHART = {
    # Wizard of Odds, "4-Deck to 8-Deck Blackjack Strategy", dealer stands on soft 17. Columns 2-A.
    "hard 8": "H H H H H H H H H H",
    "hard 9": "H D D D D H H H H H",
    "hard 10": "D D D D D D D D H H",
    "hard 11": "D D D D D D D D D H",
    "hard 12": "H H S S S H H H H H",
    "hard 13": "S S S S S H H H H H",
    "hard 16": "S S S S S H H H H H",
    "hard 17": "S S S S S S S S S S",
    "soft 13": "H H H D D H H H H H",
    "soft 14": "H H H D D H H H H H",
    "soft 15": "H H D D D H H H H H",
    "soft 16": "H H D D D H H H H H",
    "soft 17": "H D D D D H H H H H",
    "soft 18": "S D D D D S S H H H",
    "soft 19": "S S S S S S S S S S",
    "A+A": "P P P P P P P P P P",
    "2+2": "P P P P P P H H H H",
    "3+3": "P P P P P P H H H H",
    "4+4": "H H H P P H H H H H",
    "6+6": "P P P P P H H H H H",
    "7+7": "P P P P P P H H H H",
    "8+8": "P P P P P P P P P P",
    "9+9": "P P P P P S P P S S",
    "10+10": "S S S S S S S S S S",
}


class TestPublicAnalysers:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("game", "percent"),
        [
            (ordinary_games.LOOKS, "-0.607202"),
            (ordinary_games.LOOKS_UNDER_ACES, "-0.707411"),
            (ordinary_games.NEVER_LOOKS, "-0.715447"),
            (ordinary_games.LOOKS_DAS, "-0.485780"),
            (ordinary_games.LOOKS_UNDER_ACES_DAS, "-0.587518"),
            (ordinary_games.NEVER_LOOKS_DAS, "-0.595554"),
            (ordinary_games.SIX_DECKS_H17_DAS, "-0.668951"),
        ],
    )
    def test_agree_to_every_printed_digit(self, game: BlackjackGame, percent: str) -> None:
        """Readings, "Known values of ordinary rule sets"; per cent of the initial stake."""
        analysis = analyse_game(game, Play.COMPOSITION)

        assert f"{100 * (analysis.per_initial - 1):.6f}" == percent


class TestThePrintedChart:
    @pytest.mark.slow
    def test_is_the_best_chart(self) -> None:
        """Wizard of Odds, four to eight decks; eight decks, double after split, dealer looks."""
        strategy = analyse_game(ordinary_games.LOOKS_DAS, Play.TOTAL).strategy

        chart = {row: " ".join(letter[0] for letter in strategy[row]) for row in PRINTED_CHART}

        assert chart == PRINTED_CHART
