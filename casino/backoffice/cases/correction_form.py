"""The correction form: a round as a supervisor reads it from the video, as a ruling.

The form is parsed as a feed document, so it is validated by the same contract as the studio's
feed, with the same field errors.
"""

import json
from typing import Any, NamedTuple

from django.core.exceptions import BadRequest
from django.http import QueryDict

from casino.backoffice.cases.card_change import Cards
from rounds.feed import FeedError, document_of, json_fault, parse_document
from rounds.models import Round
from rounds.queries import stored_rounds
from rounds.rules.cards import INDEX
from rounds.rules.facts import Round as Dealt
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling, as_ruled


class Corrected(NamedTuple):
    """The original and the corrected round with their differences; or the validation error."""

    original: Dealt
    corrected: Dealt
    ruling: Ruling
    error: FeedError | None


def original_facts(row: Round) -> Dealt:
    """The round as received from the studio."""
    [stored] = stored_rounds([row.id])
    return stored.dealt


def submitted_cards(data: QueryDict) -> Cards:
    """The cards as they were read so far. Raises BadRequest: no page sends what is none."""
    pairs = zip(data.getlist("place"), data.getlist("card"), strict=False)
    cards = [(place.strip(), card) for place, card in pairs if card]
    if any(card not in INDEX for _place, card in cards):
        raise BadRequest("card")
    return cards


def read_form(row: Round, rules: RuleSet, data: QueryDict, *, cards: Cards) -> Corrected:
    """Parse the form, with these cards. If it is invalid, the original round with the error."""
    original = original_facts(row)
    document = document_of(original)
    document["cards"] = [list(pair) for pair in cards]
    for number, bet in enumerate(document["bets"]):
        play = data.get(f"play_{number}")
        if play is not None and bet["kind"] in rules.raisable_kinds:
            bet["play"] = play.strip().upper()
    try:
        if rules.bonus_levels:
            _set(document, "bonus", data.get("bonus", ""))
        if rules.multiplier_cards:
            _set(document, "multipliers", data.get("multipliers", ""))
        corrected = parse_document(document)
    except FeedError as error:
        return Corrected(original, original, Ruling(), error)
    if not isinstance(corrected, Dealt):
        raise TypeError(corrected)
    return Corrected(original, corrected, ruling_between(original, corrected), None)


def ruling_between(original: Dealt, corrected: Dealt) -> Ruling:
    """The differences between the original and the corrected round."""
    plays = {
        number: after.play
        for number, (before, after) in enumerate(zip(original.bets, corrected.bets, strict=True))
        if before.play != after.play
    }
    return Ruling(
        cards=None if corrected.cards == original.cards else corrected.cards,
        plays=plays,
        multipliers=None
        if corrected.multipliers == original.multipliers
        else corrected.multipliers or (),
        bonus=None if corrected.bonus == original.bonus else corrected.bonus,
        no_bonus=corrected.bonus is None and original.bonus is not None,
    )


def read_before(original: Dealt, ruling: Ruling | None) -> Dealt:
    """The initial values of the form: the round under its latest ruling."""
    return original if ruling is None else as_ruled(original, ruling)


def json_of(document: dict[str, Any], name: str) -> str:
    """A part of a feed document as JSON to be edited; empty if missing."""
    return "" if name not in document else json.dumps(document[name], indent=None)


def _set(document: dict[str, Any], name: str, text: str) -> None:
    """Set a part of the document from its JSON text; empty text removes it."""
    document.pop(name, None)
    if not text.strip():
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FeedError(name, text[:60], f"JSON ({error})", None) from error
    if fault := json_fault(value):
        raise FeedError(name, *fault)
    document[name] = value
