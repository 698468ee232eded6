"""Rulings as stored: conversion to JSON and back, and the rulings of rounds."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from rounds.models import StoredRuling
from rounds.row_mapping import bonus_of, cards_column, cards_of, multipliers_of
from rounds.rules.ruling import Ruling


def ruling_column(ruling: Ruling) -> dict[str, Any]:
    """The ruling as JSON, without fields that have their default."""
    fields: dict[str, Any] = {
        "cards": None if ruling.cards is None else cards_column(ruling.cards),
        "plays": {str(number): play for number, play in sorted(ruling.plays.items())},
        "multipliers": ruling.multipliers,
        "bonus": ruling.bonus,
        "no_bonus": ruling.no_bonus,
        "malfunction": ruling.malfunction,
        "as_dealt": ruling.as_dealt,
        "released": ruling.released,
        "refunded": sorted(ruling.refunded),
    }
    return {name: value for name, value in fields.items() if value or _is_explicit(name, value)}


def _is_explicit(name: str, value: object) -> bool:
    """Whether a false value is a ruling: no malfunction, or no multiplier cards."""
    return (name, value) == ("malfunction", False) or (name, value) == ("multipliers", ())


def ruling_of(column: Mapping[str, Any]) -> Ruling:
    """The inverse of ``ruling_column``."""
    cards = column.get("cards")
    return Ruling(
        cards=None if cards is None else cards_of(cards),
        plays={int(number): play for number, play in column.get("plays", {}).items()},
        multipliers=multipliers_of(column.get("multipliers")),
        bonus=bonus_of(column.get("bonus")),
        no_bonus=column.get("no_bonus", False),
        malfunction=column.get("malfunction"),
        as_dealt=column.get("as_dealt", False),
        released=column.get("released", False),
        refunded=frozenset(column.get("refunded", ())),
    )


def rulings_of(round_ids: Collection[UUID]) -> dict[UUID, dict[int, Ruling]]:
    """The rulings on these rounds, by round and by sequence of the settlement."""
    rulings: dict[UUID, dict[int, Ruling]] = {}
    rows = StoredRuling.objects.filter(round_id__in=round_ids).order_by("round_id", "sequence")
    for round_id, sequence, column in rows.values_list("round_id", "sequence", "said"):
        rulings.setdefault(round_id, {})[sequence] = ruling_of(column)
    return rulings
