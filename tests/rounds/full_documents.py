"""Valid rounds that have every field of the feed between them."""

import json
from collections.abc import Iterable
from typing import Any, Final

from rounds.feed import document_of
from tests.rounds.feed_documents import document
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM, bet, bonus, dealt, left

_VIDEO: Final = {"ref": "v-1", "sha256": "0a" * 32}


def full_rounds() -> list[dict[str, Any]]:
    """Valid documents that have every field of rounds and of bets between them."""
    bonus_round = dealt(
        "1:TS 2:9S D:9H 1:8S 2:9C D:8C",
        bet(golden=True, reported_cents=0),
        rules=MEGA_FIRE_BLAZE,
        bonus=bonus("mini", "8", "1:2 7:5", "", specials=(("1", "star", "10"),)),
        disconnects=(left(seen=4, own="D:8C"), left("p-2")),
        malfunction=True,
    )
    split = dealt(
        "1:8S D:9H 1:8C D:8C 1a:2S 1b:3S",
        bet(raised_cents=1000, play="PS,"),
        bet(id="b2", player="p-2", behind=True, follows=False),
    )
    surroundings = {"dealer": "d-1", "shift": "night", "location": "Riga", "video": _VIDEO}
    return [
        document_of(bonus_round),
        document_of(split) | surroundings,
        document(QUANTUM, multipliers={"6S": "5", "9H": "5", "QH": "2.5"}),
    ]


def lines_of(documents: Iterable[object], **notation: Any) -> list[bytes]:
    """These documents as lines of the feed."""
    return [json.dumps(document, **notation).encode() for document in documents]
