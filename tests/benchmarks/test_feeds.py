"""The feeds of the benchmark: the same in every run, and settled to the last round."""

import json
from pathlib import Path

from benchmarks.data.feeds import Feeds
from rounds.replay import replay_lines

ROUNDS = 40


class TestTheTenBetRounds:
    def test_have_ten_bets_but_for_a_few(self, tmp_path: Path) -> None:
        """Issue 4: rounds of ten bets; a few have more, because ten cannot be reached exactly."""
        feed = Feeds(tmp_path).small(rounds=ROUNDS).read_bytes().splitlines()

        documents = [json.loads(line) for line in feed]

        bets = [len(document["bets"]) for document in documents if "round" in document]
        assert len(bets) == ROUNDS
        assert min(bets) == 10
        assert sum(bets) < 10.5 * ROUNDS

    def test_are_all_settled(self, tmp_path: Path) -> None:
        """A held round would be cheaper than a settled one."""
        feed = Feeds(tmp_path).small(rounds=ROUNDS).read_bytes().splitlines()

        statuses = {result["status"] for result in replay_lines(feed)}

        assert statuses == {"settled"}


class TestTheMix:
    def test_is_of_all_five_games_and_settled(self, tmp_path: Path) -> None:
        """Issue 4: a realistic mix of all five games."""
        feed = Feeds(tmp_path).mix(rounds=ROUNDS).read_bytes().splitlines()

        statuses = {result["status"] for result in replay_lines(feed)}

        games = {json.loads(line).get("rules") for line in feed} - {None}
        assert len(games) == 5
        assert statuses == {"settled"}

    def test_is_the_same_in_every_run(self, tmp_path: Path) -> None:
        """Figures of two days can be compared only over the same bytes."""
        folders = [tmp_path / "one", tmp_path / "two"]

        written = []
        for folder in folders:
            folder.mkdir()
            written.append(Feeds(folder).mix(rounds=ROUNDS).read_bytes())

        assert written[0] == written[1]
