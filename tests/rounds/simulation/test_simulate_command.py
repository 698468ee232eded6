"""``manage.py simulate``: its output and its errors."""

import json
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


class TestSimulate:
    """The command line."""

    def test_writes_the_ordered_rounds_to_a_file(self, tmp_path: Path) -> None:
        """One document a line, shoes before their rounds, in order of time."""
        feed = tmp_path / "feed.ndjson"

        call_command("simulate", "baccarat", "--rounds=70", f"--out={feed}")

        documents = [json.loads(line) for line in feed.read_text().splitlines()]
        assert documents[0]["feed"] == "shoe/1"
        assert sum(document["feed"] == "round/1" for document in documents) == 70
        assert {document["table"] for document in documents} == {"bac-1"}

    def test_writes_to_standard_output(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Progress is written to stderr."""
        call_command("simulate", "baccarat", "--rounds=3")

        written = capsys.readouterr().out.splitlines()
        assert [json.loads(line)["feed"] for line in written] == ["shoe/1"] + ["round/1"] * 3

    def test_opens_its_tables_at_the_given_time(self, tmp_path: Path) -> None:
        """With an offset: ten in Rome in summer is eight in Greenwich."""
        feed = tmp_path / "feed.ndjson"

        call_command(
            "simulate",
            "baccarat",
            "--rounds=1",
            "--start=2026-07-01T10:00:00+02:00",
            f"--out={feed}",
        )

        shoe = json.loads(feed.read_text().splitlines()[0])
        assert shoe["opened_at"].startswith("2026-07-01T08:0")

    def test_deals_on_several_days(self, tmp_path: Path) -> None:
        """Two rounds on each day but the last, at the same time of day."""
        feed = tmp_path / "feed.ndjson"

        call_command(
            "simulate",
            "baccarat",
            "--rounds=9",
            "--days=3",
            "--rounds-a-day=2",
            "--start=2026-07-01T10:00:00+02:00",
            f"--out={feed}",
        )

        documents = [json.loads(line) for line in feed.read_text().splitlines()]
        dealt = [document for document in documents if document["feed"] == "round/1"]
        days = Counter(document["opened_at"][:13] for document in dealt)
        assert days == {"2026-06-29T08": 2, "2026-06-30T08": 2, "2026-07-01T08": 5}
        assert len({document["round"] for document in dealt}) == 9
        assert len({tuple(map(tuple, document["cards"])) for document in dealt}) == 9

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["roulette"], "'roulette' is not one of"),
            (["--start=noon"], "'noon' is not a time with its offset"),
            (["--start=2026-07-01T10:00:00"], "is not a time with its offset"),
            (["--rounds=0"], "'0' is not a whole number from 1"),
            (["--tables=100"], "'100' is not a whole number from 1 to 99"),
            (["--faults=2"], "'2' is not a share from 0 to 1"),
            (["--faults=some"], "'some' is not a share from 0 to 1"),
            (["--days=0"], "'0' is not a whole number from 1"),
            (["--rounds=100", "--days=3"], "found 100; needed more than 2 days of 50"),
            (["--bets-per-round=-1"], "'-1' is not a whole number from 0"),
        ],
    )
    def test_rejects_an_invalid_argument(self, arguments: list[str], complaint: str) -> None:
        """With the value found and needed."""
        with pytest.raises(CommandError, match=complaint):
            call_command("simulate", *arguments)
