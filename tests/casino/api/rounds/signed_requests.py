"""Requests of a studio that signs, and what holds the rounds of one that does not."""

import json
from typing import Any

from django.http import HttpResponse

from rounds.models import Round
from tests.casino.api.studio import ROUNDS, studio, whole
from tests.documents import baccarat_round

HELD = ["unsigned-source"]


def document(reference: str = "r-1", **fields: Any) -> bytes:
    """A round as the body of a request."""
    return json.dumps(baccarat_round(reference, **fields), indent=1).encode()


def send(body: bytes, headers: dict[str, str], *, media: str = "application/json") -> HttpResponse:
    """Sends a body as it is."""
    return whole(studio().call("POST", ROUNDS, body, Content_Type=media, **headers))


def anomalies() -> dict[str, list[str]]:
    """The anomalies on arrival of every round."""
    return dict(Round.objects.values_list("reference", "arrival_anomalies"))
