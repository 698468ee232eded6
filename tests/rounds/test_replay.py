"""Replaying a feed: the public cases, and dependencies between lines."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rounds.feed import document_of, document_of_shoe
from rounds.replay import replay_lines
from rounds.rules.facts import ShoeOpening
from tests.rounds.rules.dealing import BACCARAT, MEGA_FIRE_BLAZE, bet, dealt, side

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
GAMES = ("blackjack", "baccarat", "mega-fire-blaze", "quantum", "zappit")

NATURAL = "P:4S B:7H P:5D B:TC"


def lines_of(*documents: object) -> list[bytes]:
    """Documents as the lines of a feed."""
    return [json.dumps(document).encode() + b"\n" for document in documents]


def coup(round_id: str, text: str = NATURAL, **fields: Any) -> dict[str, Any]:
    """A baccarat round of one Player bet of 10.00."""
    bets = (side("player", stake=1000),)
    return document_of(dealt(text, *bets, rules=BACCARAT, round=round_id, **fields))


def opened_shoe(*burnt: str, face_down: int) -> dict[str, Any]:
    """The opening of the shoe of ``coup``."""
    return document_of_shoe(ShoeOpening("s-1", "t-1", 0, burnt, face_down))


class TestThePublicCases:
    """Every result line equals the reference's (tests/golden/README.md)."""

    @pytest.mark.parametrize("game", GAMES)
    def test_come_out_as_expected(self, game: str) -> None:
        """Status, anomalies, bets and bonus are equal; of a rejected line its number and id."""
        feed = (GOLDEN / f"{game}.ndjson").read_bytes().splitlines(keepends=True)
        expected = list(expected_results(game))

        actual = [comparable(result) for result in replay_lines(feed)]

        assert len(expected) > 80
        assert expected == actual


def expected_results(game: str) -> Iterator[dict[str, Any]]:
    """The reference's results, in the form of ``comparable``."""
    for line in (GOLDEN / f"{game}.expected.ndjson").read_text().splitlines():
        yield comparable(json.loads(line))


def comparable(result: dict[str, Any]) -> dict[str, Any]:
    """The parts of a result that the contract fixes."""
    return {field: value for field, value in result.items() if field != "error"}


class TestALine:
    """Contract, "Lines and documents"."""

    def test_that_is_blank_is_skipped_but_counted(self) -> None:
        """Detail 1: ``line`` is the line of the file, from 1."""
        feed = [b"\n", b"  \t\r\n", *lines_of(coup("r-1")), b"{}\n"]

        settled, rejected = replay_lines(feed)

        assert (settled["round"], rejected["line"]) == ("r-1", 4)

    def test_of_a_good_shoe_gives_no_result(self) -> None:
        """Detail 1."""
        feed = lines_of(opened_shoe("5H", face_down=5))

        assert list(replay_lines(feed)) == []

    def test_of_a_bad_shoe_is_rejected_without_a_round(self) -> None:
        """Detail 1."""
        feed = lines_of(opened_shoe("5H", face_down=5) | {"burnt_face_down": "5"})

        (result,) = replay_lines(feed)

        assert result["status"] == "rejected"
        assert result["round"] is None
        assert "burnt_face_down" in result["error"]

    def test_that_is_rejected_names_its_round(self) -> None:
        """Contract, "What comes out": id or null."""
        feed = [*lines_of(coup("r-1") | {"session": 7}), b"[]\n"]

        named, nameless = replay_lines(feed)

        assert (named["round"], nameless["round"]) == ("r-1", None)
        assert named["error"] == "session: found 7, needed text of at least one character"

    def test_after_a_rejected_one_goes_on(self) -> None:
        """Contract, "What comes out"."""
        feed = [b"{", *lines_of(coup("r-1"))]

        statuses = [result["status"] for result in replay_lines(feed)]

        assert statuses == ["rejected", "settled"]


class TestARoundId:
    """Detail 6: used once in a file."""

    def test_that_was_settled_is_rejected(self) -> None:
        """The second document has it again."""
        results = replay_lines(lines_of(coup("r-1"), coup("r-1", drawn=4)))

        assert [result["status"] for result in results] == ["settled", "rejected"]

    def test_that_was_held_is_rejected(self) -> None:
        """Player draws on a natural nine."""
        feed = lines_of(coup("r-1", f"{NATURAL} P:2C"), coup("r-1", drawn=5))

        assert [result["status"] for result in replay_lines(feed)] == ["held", "rejected"]

    def test_that_was_void_is_rejected(self) -> None:
        """A malfunction voids a coup."""
        feed = lines_of(coup("r-1", malfunction=True), coup("r-1", drawn=4))

        assert [result["status"] for result in replay_lines(feed)] == ["void", "rejected"]

    def test_that_was_rejected_may_come_again(self) -> None:
        """A rejected line has no effect."""
        feed = lines_of(coup("r-1") | {"session": ""}, coup("r-1"))

        assert [result["status"] for result in replay_lines(feed)] == ["rejected", "settled"]


class TestAShoe:
    """Contract, "Shoes", from round to round."""

    def test_continues_where_its_last_round_ended(self) -> None:
        """Detail 34: 6 burnt, then four cards a coup."""
        feed = lines_of(opened_shoe("5H", face_down=5), coup("r-1", drawn=6), coup("r-2", drawn=10))

        assert [result["status"] for result in replay_lines(feed)] == ["settled", "settled"]

    def test_that_begins_elsewhere_than_announced_has_a_gap(self) -> None:
        """Detail 33: one card face up and five face down make six."""
        feed = lines_of(opened_shoe("5H", face_down=5), coup("r-1", drawn=5))

        (result,) = replay_lines(feed)

        assert (result["status"], result["anomalies"]) == ("held", ["shoe-gap"])

    def test_that_was_not_announced_starts_where_its_first_round_says(self) -> None:
        """Detail 33."""
        feed = lines_of(coup("r-1", drawn=100), coup("r-2", drawn=104), coup("r-3", drawn=107))

        anomalies = [result["anomalies"] for result in replay_lines(feed)]

        assert anomalies == [[], [], ["shoe-gap"]]

    def test_is_moved_to_the_end_of_held_and_void_rounds(self) -> None:
        """Detail 34: also by a round with a gap."""
        feed = lines_of(
            opened_shoe("5H", face_down=5),
            coup("r-1", drawn=20),
            coup("r-2", drawn=24, malfunction=True),
            coup("r-3", drawn=28),
        )

        statuses = [result["status"] for result in replay_lines(feed)]

        assert statuses == ["held", "void", "settled"]

    def test_is_not_moved_by_a_rejected_round(self) -> None:
        """Detail 34."""
        feed = lines_of(
            coup("r-1", drawn=6), coup("r-2", drawn=10) | {"session": 1}, coup("r-3", drawn=10)
        )

        statuses = [result["status"] for result in replay_lines(feed)]

        assert statuses == ["settled", "rejected", "settled"]

    def test_announced_twice_starts_again(self) -> None:
        """Detail 36."""
        announced = opened_shoe("5H", face_down=5)
        feed = lines_of(announced, coup("r-1", drawn=6), announced, coup("r-2", drawn=6))

        assert [result["status"] for result in replay_lines(feed)] == ["settled", "settled"]

    def test_counts_the_copies_of_a_card_over_its_rounds(self) -> None:
        """Detail 35: eight decks hold a card eight times; the ninth holds its round alone."""
        fives = "P:5H B:5H P:4S B:2D"  # nine against seven
        feed = lines_of(
            opened_shoe("5H", face_down=5),
            *(coup(f"r-{n}", fives, drawn=6 + 4 * n) for n in range(4)),
            coup("r-4", "P:9D B:7H P:TS B:TC", drawn=22),
        )

        anomalies = [result["anomalies"] for result in replay_lines(feed)]

        assert anomalies == [[], [], [], ["too-many-copies"], []]


class TestAResult:
    """Contract, "What comes out"."""

    def test_of_a_settled_round_lists_every_bet(self) -> None:
        """Nine against seven: Player 10.00 pays 20.00."""
        (result,) = replay_lines(lines_of(coup("r-1")))

        assert result == {
            "round": "r-1",
            "status": "settled",
            "anomalies": [],
            "bets": {"player-None": {"outcome": "win", "payout": "20.00"}},
        }

    def test_of_a_held_round_lists_no_bet(self) -> None:
        """No money moves until a supervisor decides."""
        (result,) = replay_lines(lines_of(coup("r-1", f"{NATURAL} P:2C")))

        assert (result["anomalies"], result["bets"]) == (["extra-card"], {})

    def test_of_a_payout_that_differs_still_lists_the_computed_bets(self) -> None:
        """The table of anomalies says so of this one alone."""
        bets = (side("player", reported_cents=1999),)
        feed = lines_of(document_of(dealt(NATURAL, *bets, rules=BACCARAT)))

        (result,) = replay_lines(feed)

        assert (result["status"], result["anomalies"]) == ("held", ["payout-differs"])
        assert result["bets"] == {"player-None": {"outcome": "win", "payout": "20.00"}}

    def test_of_mega_fire_blaze_has_its_bonus_only_if_settled(self) -> None:
        """Detail 44. Dealer 10 + 8, no Ace, no 14: no points."""
        text = "1:TS 2:9S D:TD 1:9D 2:8H D:8C"
        settled = dealt(text, bet(), rules=MEGA_FIRE_BLAZE)
        differing = dealt(
            text, bet(reported_cents=1), rules=MEGA_FIRE_BLAZE, round="r-2", shoe="s-2"
        )

        first, second = replay_lines(lines_of(document_of(settled), document_of(differing)))

        assert first["bonus"] == {"points": 0, "level": None, "multiplier": None}
        assert (second["anomalies"], "bonus" in second) == (["payout-differs"], False)


class TestTheCommand:
    """``manage.py replay FILE|-``."""

    def test_writes_a_line_of_json_a_round(self, tmp_path: Path) -> None:
        """And nothing else to standard output; no exception is status 0."""
        feed = tmp_path / "feed.ndjson"
        feed.write_bytes(b"".join(lines_of(coup("r-1"))))
        out = io.StringIO()

        call_command("replay", str(feed), stdout=out)

        assert [json.loads(line)["round"] for line in out.getvalue().splitlines()] == ["r-1"]

    def test_ends_with_status_1_when_a_line_was_rejected(self, tmp_path: Path) -> None:
        """Contract, "What comes out"."""
        feed = tmp_path / "feed.ndjson"
        feed.write_bytes(b"{}\n")

        with pytest.raises(CommandError) as failure:
            call_command("replay", str(feed), stdout=io.StringIO())

        assert failure.value.returncode == 1

    def test_reports_a_missing_feed(self, tmp_path: Path) -> None:
        """With an exit status of its own."""
        with pytest.raises(CommandError, match="No such file") as failure:
            call_command("replay", str(tmp_path / "no.ndjson"))

        assert failure.value.returncode == 2

    @pytest.mark.slow
    def test_reads_standard_input_and_needs_no_database(self) -> None:
        """As a process, with an invalid database URL."""
        feed = b"".join([*lines_of(coup("r-1")), b"no JSON\n"])

        completed = subprocess.run(
            [sys.executable, "manage.py", "replay", "-"],
            input=feed,
            capture_output=True,
            cwd=ROOT,
            check=False,
            env={"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "PATH": ""},
        )

        assert (completed.returncode, len(completed.stdout.splitlines())) == (1, 2)
