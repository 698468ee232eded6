"""Facts as documents of the feed; the inverse of ``parse_document``."""

from typing import Any

from rounds.feed.rounds import SURROUNDINGS
from rounds.feed.times import format_time
from rounds.rules.facts import Bet, Bonus, Disconnect, Round, ShoeOpening
from rounds.rules.money import format_cents


def document_of(dealt: Round) -> dict[str, Any]:
    """The document of a round, without fields that have their default."""
    document: dict[str, Any] = {
        "feed": "round/1",
        "round": dealt.round,
        "table": dealt.table,
        "rules": dealt.rules,
        "opened_at": format_time(dealt.opened_at),
        "closed_at": format_time(dealt.closed_at),
        "ended_at": format_time(dealt.ended_at),
        "session": dealt.session,
        "cards": [[place, card] for place, card in dealt.cards],
        "bets": [_bet(bet) for bet in dealt.bets],
    }
    if dealt.shoe is not None:
        document["shoe"] = {"id": dealt.shoe, "drawn": dealt.drawn}
    if dealt.multipliers is not None:
        document["multipliers"] = dict(dealt.multipliers)
    if dealt.bonus is not None:
        document["bonus"] = _bonus(dealt.bonus)
    if dealt.disconnects:
        document["disconnects"] = [_disconnect(entry) for entry in dealt.disconnects]
    if dealt.malfunction:
        document["incident"] = "malfunction"
    for name in SURROUNDINGS:
        if (text := getattr(dealt, name)) is not None:
            document[name] = text
    if dealt.video is not None:
        document["video"] = dealt.video._asdict()
    return document


def document_of_shoe(opening: ShoeOpening) -> dict[str, Any]:
    """The document of a shoe."""
    return {
        "feed": "shoe/1",
        "shoe": opening.shoe,
        "table": opening.table,
        "opened_at": format_time(opening.opened_at),
        "burnt": list(opening.burnt),
        "burnt_face_down": opening.burnt_face_down,
    }


def _bet(bet: Bet) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": bet.id,
        "player": bet.player,
        "participation": bet.participation,
        "kind": bet.kind,
        "stake": format_cents(bet.stake_cents),
        "placed_at": format_time(bet.placed_at),
    }
    if bet.box is not None:
        document["box"] = bet.box
    if bet.raised_cents:
        document["raised"] = format_cents(bet.raised_cents)
    if bet.play:
        document["play"] = bet.play
    if bet.golden:
        document["funding"] = "golden"
    if bet.behind:
        document["behind"] = True
    if not bet.follows:
        document["follows"] = False
    if bet.reported_cents is not None:
        document["reported"] = format_cents(bet.reported_cents)
    return document


def _bonus(bonus: Bonus) -> dict[str, Any]:
    return {
        "level": bonus.level,
        "spins": [[[cell, value] for cell, value in spin] for spin in bonus.spins],
        "specials": {section: {kind: value} for section, kind, value in bonus.specials},
        "multiplier": bonus.multiplier,
    }


def _disconnect(entry: Disconnect) -> dict[str, Any]:
    document: dict[str, Any] = {"player": entry.player, "at": format_time(entry.at)}
    if entry.cards_seen is not None:
        document["cards_seen"] = entry.cards_seen
    if entry.cards:
        document["cards"] = [[place, card] for place, card in entry.cards]
    return document
