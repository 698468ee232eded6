"""A round of the feed (contract, "A round")."""

from typing import Final

from rounds.feed.bets import read_bets
from rounds.feed.bonus import read_bonus
from rounds.feed.disconnects import read_disconnects
from rounds.feed.fields import (
    Document,
    read_choice,
    read_count,
    read_dealt,
    read_list,
    read_object,
    read_round_id,
    read_text,
    read_time,
)
from rounds.feed.refused import Refused, describe
from rounds.rules.cards import INDEX
from rounds.rules.catalogue import Catalogue
from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet

_REQUIRED: Final = frozenset(
    {
        *("feed", "round", "table", "rules", "session", "cards", "bets"),
        *("opened_at", "closed_at", "ended_at"),
    }
)
_OPTIONAL: Final = frozenset({"shoe", "multipliers", "bonus", "disconnects", "incident"})
_MOST_BETS: Final = 1_000_000


def read_round(document: Document, catalogue: Catalogue) -> Round:
    """The round, sound in itself and as its rule set of the catalogue takes it."""
    read_object(document, required=_REQUIRED, optional=_OPTIONAL)
    round_id = read_round_id(document)
    rules = catalogue[read_choice(document, "rules", catalogue)]
    shoe, drawn = _read_shoe_of_round(document, rules)
    bets = read_list(document, "bets")
    if len(bets) > _MOST_BETS:
        raise Refused("bets", describe(bets), f"at most {_MOST_BETS} bets")
    cards = read_dealt(document, "cards")
    dealt = Round(
        round_id,
        read_text(document, "table"),
        rules.name,
        shoe,
        drawn,
        *_read_times(document),
        read_text(document, "session"),
        cards,
        read_bets(bets, rules),
        _read_multipliers(document, rules) if "multipliers" in document else None,
        read_bonus(document, rules) if "bonus" in document else None,
        read_disconnects(document, dealt=len(cards)) if "disconnects" in document else (),
        "incident" in document and bool(read_choice(document, "incident", ("malfunction",))),
    )
    refusal = rules.find_refusal(dealt)
    if refusal is not None:
        raise Refused(*refusal)
    return dealt


def _read_shoe_of_round(document: Document, rules: RuleSet) -> tuple[str | None, int | None]:
    """The shoe and how many cards had left it; none where every round is shuffled (detail 2)."""
    if not rules.uses_shoe:
        if "shoe" in document:
            raise Refused("shoe", describe(document["shoe"]), f"nothing: {rules.name} has no shoe")
        return None, None
    if "shoe" not in document:
        raise Refused("shoe", "nothing", "a value: the field is required")
    try:
        shoe = read_object(document["shoe"], required=frozenset({"id", "drawn"}))
        return read_text(shoe, "id"), read_count(shoe, "drawn")
    except Refused as refusal:
        raise refusal.within("shoe") from None


def _read_times(document: Document) -> tuple[int, int, int]:
    opened_at = read_time(document, "opened_at")
    closed_at = read_time(document, "closed_at")
    ended_at = read_time(document, "ended_at")
    if opened_at > closed_at:
        raise Refused("closed_at", describe(document["closed_at"]), "opened_at or later")
    if closed_at > ended_at:
        raise Refused("ended_at", describe(document["ended_at"]), "closed_at or later")
    return opened_at, closed_at, ended_at


def _read_multipliers(document: Document, rules: RuleSet) -> tuple[tuple[str, str], ...]:
    """The multiplier cards; what values they may have is for the rules to say (detail 12)."""
    cards = document["multipliers"]
    if not rules.multiplier_cards:
        raise Refused("multipliers", describe(cards), f"nothing: {rules.name} has none")
    if type(cards) is not dict:
        raise Refused("multipliers", describe(cards), "an object of cards and their values")
    for card in cards:
        if card not in INDEX:
            raise Refused("multipliers", describe(card), 'a card, such as "8H"')
        if type(cards[card]) is not str:
            raise Refused(f"multipliers.{card}", describe(cards[card]), 'text, such as "2.5"')
    return tuple(cards.items())
