"""Answers as JSON: as the framework writes them, whatever there is in them."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.utils.translation import gettext_lazy
from rest_framework.renderers import JSONRenderer

from payouts.api.rendering import JsonRenderer
from rounds.models import Validation


@pytest.mark.parametrize(
    "told",
    [
        {"text": 'Più di un «turno» \u2028 "…"', "none": None, "yes": True, "cents": -(2**53)},
        {"lazy": gettext_lazy("Rounds"), "choice": Validation.Status.HELD, "pair": (1, 2)},
        {"id": UUID(int=7), "at": datetime(2026, 11, 22, 14, 28, 58, 1000, UTC), 3: "by number"},
        {"sent": 10**30, "lazy": gettext_lazy("Rounds")},
        [],
        "Rounds",
    ],
)
def test_whoever_reads_it_finds_the_same(told: Any) -> None:  # noqa: ANN401  JSON and others
    """Only how a character is written may differ."""
    assert json.loads(JsonRenderer().render(told)) == json.loads(JSONRenderer().render(told))


def test_nothing_is_no_octets() -> None:
    """As in an answer without content."""
    assert JsonRenderer().render(None) == b""
