"""Weights of multiplier cards and bonus grids, which no sheet states.

One document for each rule set that needs one, in the operator's format (``sabot-weights/1``,
``docs/certification.md``). The demo puts the same documents in force, so that its certificates
agree with its tables.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

_FOLDER: Final = Path(__file__).parent

Weights = Mapping[str, int]
"""Relative frequencies of values."""


class CardWeights(NamedTuple):
    """The weight of a number of multiplier cards, and the weights of their values."""

    weight: int
    values: Weights


class GridWeights(NamedTuple):
    """Probabilities and weights of the bonus grid of one level."""

    fills: float
    """The probability that a spin fills an empty cell."""
    cells: Weights
    reveals: float
    """The probability that a full section reveals a boost or a star."""
    boosts: Weights
    stars: Weights


def weights_documents() -> dict[str, str]:
    """The text of every document, by rule set."""
    texts = (file.read_text(encoding="utf-8") for file in sorted(_FOLDER.glob("*.json")))
    return {json.loads(text)["rules"]: text for text in texts}


@cache
def card_weights(rules: str) -> Mapping[int, CardWeights]:
    """The weights of multiplier cards of the rule set, by their number."""
    numbers = _document_of(rules)["multiplier_cards"].items()
    return {int(many): CardWeights(**fields) for many, fields in numbers}


@cache
def grid_weights(rules: str) -> Mapping[str, GridWeights]:
    """The weights of bonus grids of the rule set, by level."""
    levels = _document_of(rules)["bonus_grid"].items()
    return {level: GridWeights(**fields) for level, fields in levels}


def _document_of(rules: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(weights_documents()[rules])
    return document
