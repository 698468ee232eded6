"""Feeds uploaded by a person, for tests."""

import random
from typing import Any

from compliance.trail.actor import Actor
from rounds.models.upload import FeedUpload
from rounds.uploads.upload_feed import upload_feed
from tests.casino_in_play import NOW

GIULIA = Actor("Giulia Marchetti", 1)
MUCH = 1 << 30


def upload(content: bytes, **other: Any) -> FeedUpload:
    """Giulia uploads the content in pieces of odd sizes."""
    chance, pieces, at = random.Random(len(content)), [], 0
    while at < len(content):
        size = chance.randrange(1, 100_000)
        pieces.append(content[at : at + size])
        at += size
    fields: dict[str, Any] = {
        "name": "night.ndjson",
        "most_bytes": MUCH,
        "at": NOW,
        "actor": GIULIA,
    }
    return upload_feed(pieces=pieces, **(fields | other))
