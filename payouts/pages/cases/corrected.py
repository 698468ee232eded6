"""A round as a supervisor reads it from the video: what the form says, as a ruling.

The form is read as a document of the feed, so that whatever the contract refuses of a studio it
refuses here, by the same field, what was found and what is needed.
"""

import json
from typing import Any, NamedTuple

from django.http import QueryDict

from rounds.feed import Refused, document_of, parse_document
from rounds.models import Round
from rounds.queries import stored_rounds
from rounds.rules.facts import Round as Dealt
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling, as_ruled


class Corrected(NamedTuple):
    """What was told, what is read now, and what differs; or why it cannot be read."""

    told: Dealt
    read: Dealt
    ruling: Ruling
    refused: Refused | None


def told_facts(row: Round) -> Dealt:
    """The round as the studio told it."""
    [stored] = stored_rounds([row.id])
    return stored.dealt


def read_form(row: Round, rules: RuleSet, asked: QueryDict) -> Corrected:
    """The form as a round; where it cannot be read, as it was told, with the refusal."""
    told = told_facts(row)
    document = document_of(told)
    pairs = zip(asked.getlist("place"), asked.getlist("card"), strict=False)
    document["cards"] = [[place.strip(), card] for place, card in pairs if card]
    for number, bet in enumerate(document["bets"]):
        play = asked.get(f"play_{number}")
        if play is not None and bet["kind"] in rules.raisable_kinds:
            bet["play"] = play.strip().upper()
    try:
        if rules.bonus_levels:
            _set(document, "bonus", asked.get("bonus", ""))
        if rules.multiplier_cards:
            _set(document, "multipliers", asked.get("multipliers", ""))
        read = parse_document(document)
    except Refused as refused:
        return Corrected(told, told, Ruling(), refused)
    if not isinstance(read, Dealt):
        raise TypeError(read)
    return Corrected(told, read, ruling_between(told, read), None)


def ruling_between(told: Dealt, read: Dealt) -> Ruling:
    """What of a round is read otherwise than it was told."""
    plays = {
        number: after.play
        for number, (before, after) in enumerate(zip(told.bets, read.bets, strict=True))
        if before.play != after.play
    }
    return Ruling(
        cards=None if read.cards == told.cards else read.cards,
        plays=plays,
        multipliers=None if read.multipliers == told.multipliers else read.multipliers or (),
        bonus=None if read.bonus == told.bonus else read.bonus,
        no_bonus=read.bonus is None and told.bonus is not None,
    )


def read_before(told: Dealt, ruling: Ruling | None) -> Dealt:
    """What the form begins with: the round as it was last read."""
    return told if ruling is None else as_ruled(told, ruling)


def json_of(document: dict[str, Any], name: str) -> str:
    """A part of a document of the feed as text to be edited; empty where there is none."""
    return "" if name not in document else json.dumps(document[name], indent=None)


def _set(document: dict[str, Any], name: str, text: str) -> None:
    """A part of the document as it was typed; without text there is none."""
    document.pop(name, None)
    if not text.strip():
        return
    try:
        document[name] = json.loads(text)
    except ValueError as error:
        raise Refused(name, text[:60], f"JSON ({error})", None) from error
