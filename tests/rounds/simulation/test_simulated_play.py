"""The bets of simulated customers, and the features of each game."""

from collections import defaultdict

import pytest

from rounds.simulation.casino import Order
from rounds.simulation.games import GAMES
from rounds.simulation.limits import DEMO_LIMITS
from tests.rounds.simulation.simulated_feed import EVERY_GAME, START, documents, rounds_of


class TestTheCustomers:
    """Stakes and bets."""

    @pytest.mark.parametrize("game", GAMES)
    def test_stay_within_the_limits_of_the_demo_tables(self, game: str) -> None:
        """A stake outside would hold the round on arrival (contract, detail 14)."""
        bets = [
            (document["rules"], bet)
            for document in rounds_of(game, rounds=400)
            for bet in document["bets"]
        ]

        assert len(bets) > 400
        for rules, bet in bets:
            least, greatest = DEMO_LIMITS[rules][bet["kind"]]
            assert least <= round(float(bet["stake"]) * 100) <= greatest

    def test_have_one_participation_a_session(self) -> None:
        """AAMS: a participation belongs to one customer in one session."""
        rights: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for document in documents(EVERY_GAME):
            for bet in document.get("bets", ()):
                rights[document["session"], bet["player"]].add(bet["participation"])

        assert all(len(ids) == 1 for ids in rights.values())
        assert len({right for ids in rights.values() for right in ids}) == len(rights)

    def test_are_sometimes_late(self) -> None:
        """Most bets are in time; a few are placed after closing and void."""
        bets = [
            (bet["placed_at"][:19], document["closed_at"][:19])
            for document in rounds_of("baccarat", rounds=1_000)
            for bet in document["bets"]
        ]

        late = sum(placed_at > closed_at for placed_at, closed_at in bets)

        assert 0 < late < len(bets) * 0.02

    @pytest.mark.slow
    def test_insure_half_of_the_stake_rounded_down(self) -> None:
        """Readings: half of the initial main stake, for odd cents rounded down to the cent."""
        insured = 0
        for document in rounds_of("blackjack", rounds=1_500):
            halves = defaultdict(set)
            for bet in document["bets"]:
                if bet["kind"] == "main":
                    stake = round(float(bet["stake"]) * 100)
                    halves[bet["player"], bet["box"]].add(stake // 2)
            upcard = next(card for place, card in document["cards"] if place == "D")
            for bet in document["bets"]:
                if bet["kind"] == "insurance":
                    insured += 1
                    assert upcard[0] == "A"
                    assert round(float(bet["stake"]) * 100) in halves[bet["player"], bet["box"]]

        assert insured > 30

    @pytest.mark.slow
    def test_use_every_option_of_blackjack(self) -> None:
        """Splits, doubles, bets behind with and without following, side bets, disconnects."""
        order = Order(games=["blackjack"], rounds=2_000, seed="s", start=START, tables=4)
        dealt = [document for document in documents(order) if document["feed"] == "round/1"]
        bets = [bet for document in dealt for bet in document["bets"]]
        lost = [
            (disconnect["at"][:19], document["closed_at"][:19])
            for document in dealt
            for disconnect in document.get("disconnects", ())
        ]

        plays = {bet.get("play", "") for bet in bets}
        kinds = {(bet["kind"], bet.get("behind", False)) for bet in bets}
        follows = {bet.get("follows", True) for bet in bets if bet.get("behind")}

        assert {"", "S", "H", "D", "HHS", "PS,S", "P,"} <= plays
        assert not any("D" in play and "P" in play for play in plays)  # [BJ] Cavallo
        assert {
            ("main", True),
            ("insurance", True),
            ("21+3", False),
            ("perfect_pairs", True),
        } <= kinds
        assert follows == {True, False}
        assert any(at < closed_at for at, closed_at in lost)
        assert any(at > closed_at for at, closed_at in lost)


class TestTheOtherGames:
    """Features that the other games add to blackjack."""

    @pytest.mark.slow
    def test_finish_hands_off_line(self) -> None:
        """[MFB] Assicurazione, [QB] Nota sulle disconnessioni."""
        for game in ("mega-fire-blaze", "quantum"):
            disconnects = [
                disconnect
                for document in rounds_of(game, rounds=600)
                for disconnect in document.get("disconnects", ())
            ]

            assert any(disconnect.get("cards") for disconnect in disconnects)
            assert any("cards" not in disconnect for disconnect in disconnects)

    def test_stake_golden_chips_and_insure_none(self) -> None:
        """[MFB] Assicurazione: real money can be insured, golden chips cannot."""
        golden = insured = 0
        for document in rounds_of("mega-fire-blaze", rounds=600):
            mains = {
                (bet["player"], bet["box"])
                for bet in document["bets"]
                if bet["kind"] == "main" and bet.get("funding") == "golden"
            }
            insurances = {
                (bet["player"], bet["box"])
                for bet in document["bets"]
                if bet["kind"] == "insurance"
            }
            golden += len(mains)
            insured += len(insurances)
            assert not mains & insurances

        assert golden > 20
        assert insured > 20

    @pytest.mark.slow
    def test_play_the_bonus_at_every_level(self) -> None:
        """[MFB] Livello del bonus: five of them, the greatest in about one round of 550."""
        levels = {
            document["bonus"]["level"]
            for document in rounds_of("mega-fire-blaze", rounds=3_000)
            if "bonus" in document
        }

        assert levels == {"minor", "mini", "major", "grand", "mega"}

    def test_draw_three_or_five_multiplier_cards(self) -> None:
        """[QB] Carte moltiplicatrici: three or five, 2.5, 3, 5 or 10 times."""
        drawn = [document["multipliers"] for document in rounds_of("quantum", rounds=300)]

        assert {len(multipliers) for multipliers in drawn} == {3, 5}
        assert {value for multipliers in drawn for value in multipliers.values()} == {
            "2.5",
            "3",
            "5",
            "10",
        }

    def test_zap_stiff_hands_of_one_player(self) -> None:
        """[ZAP] Istruzioni di gioco: up to three hands, some exchanged; no shoe."""
        dealt = documents(Order(["zappit"], rounds=400, seed="s", start=START))
        plays = {bet.get("play", "") for document in dealt for bet in document["bets"]}
        boxes = {bet["box"] for document in dealt for bet in document["bets"]}

        assert all(document["feed"] == "round/1" and "shoe" not in document for document in dealt)
        assert all(len({bet["player"] for bet in document["bets"]}) == 1 for document in dealt)
        assert any(play.startswith("Z") for play in plays)
        assert boxes == {1, 2, 3}
