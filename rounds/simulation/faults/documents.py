"""Invalid documents: each function breaks one thing and returns the line to send."""

import json
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

from rounds.simulation.chance import pick

FeedDocument = dict[str, Any]
"""A round as a feed document, which may be invalid."""

Break = Callable[[FeedDocument, Random], str | None]
"""Breaks a document and returns the line, or None if the round is unsuitable.

It may modify the document.
"""

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def write_line(document: FeedDocument) -> str:
    """A document as one line of the feed, without its line end."""
    return _ENCODER.encode(document)


def _cut_short(document: FeedDocument, rng: Random) -> str:
    line = write_line(document)
    return line[: len(line) // 4 + int(rng.random() * len(line) / 2)]


def _misspelt_field(document: FeedDocument, _rng: Random) -> str:
    return write_line({**document, "colsed_at": document["closed_at"]})


def _field_left_out(document: FeedDocument, rng: Random) -> str:
    del document[pick(rng, ("session", "ended_at", "cards", "table"))]
    return write_line(document)


def _unknown_rule_set(document: FeedDocument, _rng: Random) -> str:
    name, _, version = document["rules"].partition("/")
    return write_line({**document, "rules": f"{name}/{int(version) + 98}"})


def _unknown_feed(document: FeedDocument, _rng: Random) -> str:
    return write_line({**document, "feed": "round/2"})


def _times_out_of_order(document: FeedDocument, _rng: Random) -> str:
    opened_at, ended_at = document["opened_at"], document["ended_at"]
    return write_line({**document, "opened_at": ended_at, "ended_at": opened_at})


def _no_such_card(document: FeedDocument, rng: Random) -> str:
    card = pick(rng, document["cards"])
    card[1] = "1" + card[1][1]
    return write_line(document)


def _comma_in_money(document: FeedDocument, rng: Random) -> str | None:
    return _with_bet_changed(
        document, rng, lambda bet: {**bet, "stake": bet["stake"].replace(".", ",")}
    )


def _money_as_number(document: FeedDocument, rng: Random) -> str | None:
    return _with_bet_changed(document, rng, lambda bet: {**bet, "stake": float(bet["stake"])})


def _unknown_bet_kind(document: FeedDocument, rng: Random) -> str | None:
    return _with_bet_changed(document, rng, lambda bet: {**bet, "kind": "lucky_ladies"})


def _bet_sent_twice(document: FeedDocument, rng: Random) -> str | None:
    if document["bets"]:
        document["bets"].append(pick(rng, document["bets"]))
        return write_line(document)
    return None


def _sent_again_changed(document: FeedDocument, rng: Random) -> str | None:
    return _with_bet_changed(document, rng, lambda bet: {**bet, "stake": f"1{bet['stake']}"})


def _with_bet_changed(
    document: FeedDocument, rng: Random, change: Callable[[FeedDocument], FeedDocument]
) -> str | None:
    bets = document["bets"]
    if not bets:
        return None
    index = int(rng.random() * len(bets))
    bets[index] = change(bets[index])
    return write_line(document)


BREAKS: Final[Mapping[str, Break]] = MappingProxyType(
    {
        "cut-short": _cut_short,
        "misspelt-field": _misspelt_field,
        "field-left-out": _field_left_out,
        "unknown-rule-set": _unknown_rule_set,
        "unknown-feed": _unknown_feed,
        "times-out-of-order": _times_out_of_order,
        "no-such-card": _no_such_card,
        "comma-in-money": _comma_in_money,
        "money-as-number": _money_as_number,
        "unknown-bet-kind": _unknown_bet_kind,
        "bet-sent-twice": _bet_sent_twice,
    }
)
"""Ways to break a document, by name; the valid round follows it."""

REPEATS: Final[Mapping[str, Break]] = MappingProxyType({"sent-again-changed": _sent_again_changed})
"""Sound documents that come after the round, under its id and with other content."""
