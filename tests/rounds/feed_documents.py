"""Documents of the feed with some fields changed, for tests."""

from typing import Any

import pytest

from rounds.feed import FeedError, document_of, parse_document
from rounds.rules.facts import ShoeOpening
from tests.rounds.rules.dealing import (
    BACCARAT,
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    OPENED_AT,
    QUANTUM,
    ZAPPIT,
    bet,
    dealt,
    side,
)

Document = dict[str, Any]

PLAIN = {
    BLACKJACK: dealt("1:TS D:9H 1:8S D:8C", bet()),
    MEGA_FIRE_BLAZE: dealt("1:TS 2:9S D:9H 1:8S 2:9C D:8C", bet(), rules=MEGA_FIRE_BLAZE),
    QUANTUM: dealt("1:TS D:9H 1:8S D:8C", bet(), rules=QUANTUM),
    BACCARAT: dealt("P:4S B:7H P:5D B:TC", side("player"), rules=BACCARAT),
    ZAPPIT: dealt("1:TS D:9H 1:8S D:8C", bet(), rules=ZAPPIT),
}
SHOE = ShoeOpening("s-1", "t-1", OPENED_AT, ("5H",), 5)


def document(rules: str = BLACKJACK, /, **fields: Any) -> Document:
    """A valid document with some fields changed."""
    return document_of(PLAIN[rules]) | fields


def with_bet(rules: str = BLACKJACK, /, **fields: Any) -> Document:
    """A valid document whose only bet has some fields changed."""
    plain = document(rules)
    return plain | {"bets": [plain["bets"][0] | fields]}


def error_of(of: object) -> FeedError:
    """The error for which the document is rejected."""
    with pytest.raises(FeedError) as error:
        parse_document(of)
    return error.value
