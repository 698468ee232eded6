"""The document of an operator's weights."""

import json
from copy import deepcopy
from typing import Any

import pytest

from compliance.certification.returns.weights_document import (
    InvalidWeights,
    read_weights,
    weighted_rule_sets,
)
from tests.compliance.certification.weights.weight_documents import (
    BONUS_DOCUMENT,
    BONUS_WEIGHTS,
    MULTIPLIER_DOCUMENT,
    MULTIPLIER_WEIGHTS,
)
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM

CARDS, GRID = "multiplier_cards", "bonus_grid"


def changed(document: dict[str, Any], path: str, value: object) -> str:
    """The document with another value at a path."""
    content = deepcopy(document)
    *above, last = path.split("/")
    place = content
    for name in above:
        place = place[name]
    place[last] = value
    return json.dumps(content)


class TestADocument:
    def test_has_the_weights_of_multiplier_cards(self) -> None:
        """By the number of cards."""
        weights = read_weights(json.dumps(MULTIPLIER_DOCUMENT))

        assert (weights.rules.name, weights.grids) == (QUANTUM, None)
        assert weights.multipliers == MULTIPLIER_WEIGHTS

    def test_has_the_weights_of_grids(self) -> None:
        """By level."""
        weights = read_weights(json.dumps(BONUS_DOCUMENT).encode())

        assert (weights.rules.name, weights.multipliers) == (MEGA_FIRE_BLAZE, None)
        assert weights.grids == BONUS_WEIGHTS

    def test_may_say_that_something_never_comes(self) -> None:
        """Weight 0 equals a missing entry."""
        weights = read_weights(changed(MULTIPLIER_DOCUMENT, f"{CARDS}/3/values/10", 0))

        assert weights.multipliers is not None
        assert set(weights.multipliers.values[3]) == {"2.5", "3", "5"}

    def test_is_for_two_rule_sets(self) -> None:
        """Other sheets declare everything."""
        assert [rules.name for rules in weighted_rule_sets()] == [MEGA_FIRE_BLAZE, QUANTUM]


class TestAnInvalidDocument:
    """The error has the field, the value found and what is needed."""

    @pytest.mark.parametrize(
        ("path", "value", "refusal"),
        [
            ("format", "sabot-weights/9", 'format: found "sabot-weights/9"; needed sabot-weights'),
            ("rules", "blackjack/1", f'rules: found "blackjack/1"; needed {MEGA_FIRE_BLAZE} or'),
            ("rules", 7, "rules: found 7;"),
            ("more", 1, "more: found a field that is not known; needed"),
            (f"{CARDS}/4", {}, f"{CARDS}.4: found a field that is not known; needed 3 or 5"),
            (f"{CARDS}/3", 1, f"{CARDS}.3: found 1; needed an object"),
            (f"{CARDS}/3/weight", -1, f"{CARDS}.3.weight: found -1; needed a whole number from 0"),
            (f"{CARDS}/3/weight", True, f"{CARDS}.3.weight: found true;"),
            (f"{CARDS}/3/values", {}, f"{CARDS}.3.values: found no weight above 0; needed one"),
            (
                f"{CARDS}/3/values/4",
                1,
                "values.4: found a field that is not known; needed 2.5 or 3",
            ),
            (f"{CARDS}/3", {"weight": 1}, f"{CARDS}.3.values: found nothing; needed a value"),
            (CARDS, {}, f"{CARDS}: found no weight above 0; needed one at least"),
        ],
    )
    def test_of_multiplier_cards_is_rejected(self, path: str, value: object, refusal: str) -> None:
        """Field by field."""
        with pytest.raises(InvalidWeights) as refused:
            read_weights(changed(MULTIPLIER_DOCUMENT, path, value))

        assert refusal in str(refused.value)

    @pytest.mark.parametrize(
        ("path", "value", "refusal"),
        [
            ("mini/fills", 0, "mini.fills: found 0; needed a number from 1e-06 to 1"),
            ("mini/fills", "0.1", 'mini.fills: found "0.1"; needed a number'),
            ("mini/reveals", 1.5, "mini.reveals: found 1.5; needed a number from 0 to 1"),
            (
                "minor/stars",
                {"10": 1},
                "minor.stars.10: found a field that is not known; needed no",
            ),
            ("minor/cells", {"1": 0}, "minor.cells: found no weight above 0"),
            ("minor/boosts", {}, "minor.reveals: found 0.5; needed a boost or star"),
            ("huge", {}, "bonus_grid.huge: found a field that is not known; needed grand or"),
        ],
    )
    def test_of_grids_is_rejected(self, path: str, value: object, refusal: str) -> None:
        """Field by field."""
        with pytest.raises(InvalidWeights) as refused:
            read_weights(changed(BONUS_DOCUMENT, f"{GRID}/{path}", value))

        assert refusal in str(refused.value)

    def test_without_a_level_is_rejected(self) -> None:
        """There are no defaults."""
        content = deepcopy(BONUS_DOCUMENT)
        del content[GRID]["mega"]

        with pytest.raises(InvalidWeights, match=r"bonus_grid\.mega: found nothing"):
            read_weights(json.dumps(content))

    @pytest.mark.parametrize(
        ("text", "refusal"),
        [
            ("", "document: found no JSON"),
            (b"\xff", "document: found no JSON"),
            ("[" * 100_000, "document: found no JSON"),
            ('{"rules": 1, "rules": 2}', "rules: found it twice in one object; needed it once"),
            ('{"rules": NaN}', "document: found NaN; needed numbers that JSON has"),
            ("[]", "rules: found null; needed"),
        ],
    )
    def test_of_invalid_json_is_rejected(self, text: str | bytes, refusal: str) -> None:
        """Duplicate fields included."""
        with pytest.raises(InvalidWeights) as refused:
            read_weights(text)

        assert str(refused.value).startswith(refusal)
