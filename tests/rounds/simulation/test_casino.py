"""The simulated feed of several tables: reproducible, in order of time."""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import islice

import pytest

from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES
from tests.rounds.simulation.simulated_feed import EVERY_GAME, START, documents, rounds_of


class TestTheSameOrder:
    """Reproducibility, for demos, bug reports and benchmarks."""

    @pytest.mark.slow
    def test_gives_the_same_bytes(self) -> None:
        """Also with faults, which have a separate generator."""
        order = EVERY_GAME._replace(faults=0.2)

        assert [*simulate(order)] == [*simulate(order)]

    @pytest.mark.slow
    def test_gives_other_rounds_for_another_seed(self) -> None:
        """The seed matters."""
        other = EVERY_GAME._replace(seed="another")

        assert [*simulate(EVERY_GAME)] != [*simulate(other)]

    @pytest.mark.slow
    def test_does_not_depend_on_the_hashing_of_text(self) -> None:
        """PYTHONHASHSEED does not matter."""
        script = (
            "import hashlib, sys;"
            "from rounds.simulation.casino import Order, simulate;"
            "from rounds.simulation.games import GAMES;"
            f"order = Order(games=[*GAMES], rounds=200, seed='x', start={START}, faults=0.3);"
            "text = '\\n'.join(line.text for line in simulate(order));"
            "print(hashlib.sha256(text.encode()).hexdigest())"
        )

        digests = {
            subprocess.run(
                [sys.executable, "-c", script],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                capture_output=True,
                check=True,
                text=True,
            ).stdout
            for hash_seed in ("1", "2", "3")
        }

        assert len(digests) == 1

    def test_deals_lazily(self) -> None:
        """The first lines of a billion rounds, which would not fit into memory."""
        endless = EVERY_GAME._replace(rounds=10**9)

        first = [*islice(simulate(endless), 50)]

        assert first == [*islice(simulate(EVERY_GAME), 50)]


class TestTheHouse:
    """Several tables at once."""

    def test_deals_as_many_rounds_as_ordered(self) -> None:
        """Broken documents are additional."""
        lines = [*simulate(EVERY_GAME._replace(faults=0.5))]

        assert sum(line.is_round for line in lines) == 600
        assert any(line.fault and line.fault.status == "rejected" for line in lines)

    def test_interleaves_its_tables_in_the_order_of_time(self) -> None:
        """Rounds by their end, shoes by their opening."""
        dealt = documents(EVERY_GAME)

        times = [document.get("ended_at") or document["opened_at"] for document in dealt]
        tables = [document["table"] for document in dealt]

        assert [time[:19] for time in times] == sorted(time[:19] for time in times)
        assert set(tables) == {
            f"{simulated.code}-{number}" for simulated in GAMES.values() for number in (1, 2)
        }
        assert tables != sorted(tables)

    def test_gives_every_round_a_unique_id(self) -> None:
        """Feed contract: ids are unique."""
        ids = Counter(
            document["round"] for document in documents(EVERY_GAME) if "round" in document
        )

        assert set(ids.values()) == {1}

    @pytest.mark.parametrize(
        ("game", "least", "most"), [("blackjack", 50, 70), ("baccarat", 35, 50)]
    )
    def test_keeps_a_realistic_pace(self, game: str, least: int, most: int) -> None:
        """A table deals a blackjack round in about a minute, a coup in about forty seconds."""
        dealt = rounds_of(game, rounds=200)

        hours = Counter(document["opened_at"][:13] for document in dealt)
        whole_hours = [*hours.values()][1:-1]

        assert whole_hours
        assert all(3_600 / most * 0.8 <= rounds <= 3_600 / least for rounds in whole_hours)


class TestEveryShoe:
    """Cards of a shoe, by the documents alone."""

    @pytest.mark.parametrize("game", [name for name in GAMES if name != "zappit"])
    def test_gives_each_card_at_most_once_a_deck(self, game: str) -> None:
        """Eight decks, or six at [QB]: no card occurs more often."""
        decks = 6 if game == "quantum" else 8
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for document in documents(Order(games=[game], rounds=400, seed="s", start=START)):
            if document["feed"] == "shoe/1":
                seen[document["shoe"]].update(document["burnt"])
            else:
                seen[document["shoe"]["id"]].update(card for _, card in document["cards"])

        assert len(seen) > 3
        assert max(max(cards.values()) for cards in seen.values()) <= decks

    @pytest.mark.parametrize("game", [name for name in GAMES if name != "zappit"])
    def test_continues_where_the_last_round_ended(self, game: str) -> None:
        """Feed contract, "Shoes": burnt cards first, then every round's; until the cut card."""
        cards = 6 * 52 if game == "quantum" else 8 * 52
        position: dict[str, int] = {}
        for document in documents(Order(games=[game], rounds=400, seed="s", start=START)):
            if document["feed"] == "shoe/1":
                burnt = len(document["burnt"]) + document["burnt_face_down"]
                position[document["shoe"]] = burnt
            else:
                shoe = document["shoe"]
                assert shoe["drawn"] == position[shoe["id"]]
                position[shoe["id"]] += len(document["cards"])

        *finished, _ = position.values()
        assert finished
        assert all(cards - 2.5 * 52 <= drawn < cards for drawn in finished)

    @pytest.mark.slow
    def test_burns_as_many_cards_as_the_first_is_worth(self) -> None:
        """[BAC] Carte nuove annullate; an Ace one, tens and figures ten (feed contract)."""
        worth = {rank: worth for worth, rank in enumerate("A23456789T", start=1)}
        worth |= dict.fromkeys("JQK", 10)
        order = Order(games=["baccarat"], rounds=3_000, seed="s", start=START)
        shoes = [document for document in documents(order) if document["feed"] == "shoe/1"]

        burns = {(document["burnt"][0][0], document["burnt_face_down"]) for document in shoes}

        assert len(burns) > 5
        assert all(face_down == worth[rank] for rank, face_down in burns)


class TestAPopularRound:
    """A round with very many bets."""

    @pytest.mark.parametrize("game", [name for name in GAMES if name != "zappit"])
    def test_has_as_many_bets_as_ordered(self, game: str) -> None:
        """A live table without seats, or with bets behind, takes any number of bets."""
        order = Order(games=[game], rounds=2, seed="s", start=START, bets_per_round=5_000)

        rounds = [document for document in documents(order) if document["feed"] == "round/1"]

        assert len(rounds) == 2
        for document in rounds:
            ids = [bet["id"] for bet in document["bets"]]
            assert 5_000 <= len(ids) < 10_000
            assert len(set(ids)) == len(ids)
