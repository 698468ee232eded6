"""JSON answers equal those of the framework's renderer."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from django.utils.translation import gettext_lazy
from rest_framework.renderers import JSONRenderer

from casino.api.rendering import JsonRenderer
from rounds.models import Validation


@pytest.mark.parametrize(
    "value",
    [
        {"text": 'Più di un «turno» \u2028 "…"', "none": None, "yes": True, "cents": -(2**53)},
        {"lazy": gettext_lazy("Rounds"), "choice": Validation.Status.HELD, "pair": (1, 2)},
        {"id": UUID(int=7), 3: "by number"},
        {"sent": 10**30, "lazy": gettext_lazy("Rounds")},
        [],
        "Rounds",
    ],
)
def test_renders_as_the_framework_does(value: Any) -> None:
    """Only the escaping of characters may differ."""
    assert json.loads(JsonRenderer().render(value)) == json.loads(JSONRenderer().render(value))


def test_times_have_milliseconds() -> None:
    """Every time of the API is written alike, in UTC, whole seconds too."""
    at = datetime(2026, 11, 22, 14, 28, 58, tzinfo=ZoneInfo("Europe/Rome"))

    assert JsonRenderer().render({"at": at}) == b'{"at":"2026-11-22T13:28:58.000Z"}'


def test_none_is_an_empty_body() -> None:
    """None is rendered as an empty body."""
    assert JsonRenderer().render(None) == b""
