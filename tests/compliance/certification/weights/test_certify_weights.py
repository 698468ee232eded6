"""``manage.py certify`` with and without an operator's weights."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.compliance.certification.certify_output import certify_output
from tests.compliance.certification.weights.weight_documents import (
    BONUS_DOCUMENT,
    MULTIPLIER_DOCUMENT,
)
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM


def written(folder: Path, document: dict[str, Any]) -> str:
    """The document as a file."""
    path = folder / "weights.json"
    path.write_text(json.dumps(document))
    return str(path)


def mains(rows: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Main bets by basis and strategy."""
    return {(row["basis"], row["strategy"]): row for row in rows if row["bet"] == "main"}


class TestWithoutWeights:
    @pytest.mark.slow  # fifteen seconds of a core; with weights the same figure is checked below
    def test_the_main_bet_is_that_of_the_game_without_multiplier_cards(self) -> None:
        """With what the declared return would need."""
        main = mains(json.loads(certify_output("--json", QUANTUM)))["initial", "cd"]

        assert (main["rtp"], main["leaves_out"]) == ("84.256183", "multiplier cards")
        implied = main["implied"]
        assert (implied["bet"], implied["declared"], implied["attainable"]) == (
            "main",
            "99.57",
            True,
        )
        assert implied["mean_multipliers"] == {"3": "3.7943", "5": "2.8651"}

    @pytest.mark.slow
    def test_the_fire_blaze_bet_has_no_return(self) -> None:
        """With what its declared return would need."""
        rows = json.loads(certify_output("--json", MEGA_FIRE_BLAZE))

        assert "mega_fire_blaze" not in {row["bet"] for row in rows}
        implied = mains(rows)["initial", "cd"]["implied"]
        assert (implied["bet"], implied["least"], implied["most"]) == (
            "mega_fire_blaze",
            "21.539374",
            "882.930319",
        )
        assert implied["mean_multipliers"]["mega"] == "106.3859"
        assert sum("implied" in row for row in rows) == 1


class TestWithWeights:
    @pytest.mark.slow
    def test_the_main_bet_has_its_multiplier_cards(self, tmp_path: Path) -> None:
        """And the return of the game without them."""
        rows = json.loads(
            certify_output("--json", "--weights", written(tmp_path, MULTIPLIER_DOCUMENT), QUANTUM)
        )

        main = mains(rows)["initial", "cd"]
        assert (main["rtp"], main["without_multipliers"]) == ("98.058645", "84.256183")
        assert (main["leaves_out"], main["verdict"]) == (None, "not reproduced")
        assert mains(rows)["staked", "td"]["without_multipliers"] == "84.896244"

    @pytest.mark.slow
    def test_the_fire_blaze_bet_has_a_return(self, tmp_path: Path) -> None:
        """With its declared figure and the levels' averages."""
        path = written(tmp_path, BONUS_DOCUMENT)

        rows = json.loads(certify_output("--json", "--weights", path, MEGA_FIRE_BLAZE))

        [bonus] = [row for row in rows if row["bet"] == "mega_fire_blaze"]
        assert (bonus["basis"], bonus["strategy"], bonus["declared"]) == ("initial", None, "97.47")
        assert (bonus["hit_frequency"], bonus["leaves_out"]) == ("6.074127", None)
        assert set(bonus["mean_multipliers"]) == {"minor", "mini", "major", "grand", "mega"}

    @pytest.mark.slow
    def test_people_see_them_in_the_table(self, tmp_path: Path) -> None:
        """No bet is missing."""
        text = certify_output("--weights", written(tmp_path, BONUS_DOCUMENT), MEGA_FIRE_BLAZE)

        assert "mega_fire_blaze │ initial │" in " ".join(text.split())
        assert "Not certified yet" not in text

    def test_that_are_invalid_are_refused(self, tmp_path: Path) -> None:
        """With the file and the field."""
        path = written(tmp_path, MULTIPLIER_DOCUMENT | {"format": "x"})

        with pytest.raises(CommandError, match=r'weights\.json: format: found "x"; needed sabot'):
            certify_output("--weights", path)
        with pytest.raises(CommandError, match="No such file"):
            certify_output("--weights", str(tmp_path / "none.json"))
