"""Parsing of rounds (contract, "A round")."""

from typing import Final

from rounds.feed.bets import read_bets
from rounds.feed.bonus import read_bonus
from rounds.feed.disconnects import read_disconnects
from rounds.feed.exceptions import FeedError, shorten
from rounds.feed.fields import (
    Document,
    read_choice,
    read_count,
    read_dealt,
    read_list,
    read_object,
    read_round_id,
    read_sha256,
    read_short_text,
    read_text,
    read_time,
)
from rounds.feed.typed_documents import (
    MOST_BETS,
    RoundDocument,
    RoundShoeDocument,
    optional_fields,
    required_fields,
)
from rounds.rules.cards import INDEX
from rounds.rules.catalogue import Catalogue
from rounds.rules.facts import Bonus, Disconnect, Round, Video
from rounds.rules.rule_set import RuleSet

REQUIRED: Final = required_fields(RoundDocument)
OPTIONAL: Final = optional_fields(RoundDocument)
SURROUNDINGS: Final = ("dealer", "shift", "location")
VIDEO_FIELDS: Final = frozenset({"ref", "sha256"})
SHOE_FIELDS: Final = required_fields(RoundShoeDocument)

OptionalParts = tuple[
    tuple[tuple[str, str], ...] | None,
    Bonus | None,
    tuple[Disconnect, ...],
    bool,
    str | None,
    str | None,
    str | None,
    Video | None,
]
"""The last fields of ``facts.Round``, from ``multipliers`` on."""


def read_round(document: Document, catalogue: Catalogue) -> Round:
    """A round that is valid in itself and for its rule set in the catalogue."""
    read_object(document, required=REQUIRED, optional=OPTIONAL)
    round_id = read_round_id(document)
    rules = catalogue[read_choice(document, "rules", catalogue)]
    shoe, drawn = _read_shoe_of_round(document, rules)
    bets = read_list(document, "bets")
    if len(bets) > MOST_BETS:
        raise FeedError("bets", shorten(bets), f"at most {MOST_BETS} bets")
    cards = read_dealt(document, "cards")
    table = read_text(document, "table")
    opened_at, closed_at, ended_at = _read_times(document)
    dealt = Round(
        round_id,
        table,
        rules.name,
        shoe,
        drawn,
        opened_at,
        closed_at,
        ended_at,
        read_text(document, "session"),
        cards,
        read_bets(bets, rules),
        *read_optional_parts(document, rules, dealt=len(cards)),
    )
    fault = rules.find_document_fault(dealt)
    if fault is not None:
        raise FeedError(*fault)
    return dealt


def read_optional_parts(document: Document, rules: RuleSet, *, dealt: int) -> OptionalParts:
    """The parts that few rounds have, of a round with this number of dealt cards."""
    return (
        _read_multipliers(document, rules) if "multipliers" in document else None,
        read_bonus(document, rules) if "bonus" in document else None,
        read_disconnects(document, dealt=dealt) if "disconnects" in document else (),
        "incident" in document and bool(read_choice(document, "incident", ("malfunction",))),
        read_short_text(document, "dealer") if "dealer" in document else None,
        read_short_text(document, "shift") if "shift" in document else None,
        read_short_text(document, "location") if "location" in document else None,
        _read_video(document["video"]) if "video" in document else None,
    )


def _read_shoe_of_round(document: Document, rules: RuleSet) -> tuple[str | None, int | None]:
    """The shoe's id and cards drawn before; None at games without a shoe (detail 2)."""
    if not rules.uses_shoe:
        if "shoe" in document:
            raise FeedError("shoe", shorten(document["shoe"]), f"nothing: {rules.name} has no shoe")
        return None, None
    if "shoe" not in document:
        raise FeedError("shoe", "nothing", "a value: the field is required")
    try:
        shoe = read_object(document["shoe"], required=SHOE_FIELDS)
        return read_text(shoe, "id"), read_count(shoe, "drawn")
    except FeedError as error:
        raise error.within("shoe") from None


def _read_video(video: object) -> Video:
    try:
        fields = read_object(video, required=VIDEO_FIELDS)
        return Video(read_text(fields, "ref"), read_sha256(fields, "sha256"))
    except FeedError as error:
        raise error.within("video") from None


def _read_times(document: Document) -> tuple[int, int, int]:
    opened_at = read_time(document, "opened_at")
    closed_at = read_time(document, "closed_at")
    ended_at = read_time(document, "ended_at")
    if opened_at > closed_at:
        raise FeedError("closed_at", shorten(document["closed_at"]), "opened_at or later")
    if closed_at > ended_at:
        raise FeedError("ended_at", shorten(document["ended_at"]), "closed_at or later")
    return opened_at, closed_at, ended_at


def _read_multipliers(document: Document, rules: RuleSet) -> tuple[tuple[str, str], ...]:
    """The multiplier cards; the rules validate their values (detail 12)."""
    cards = document["multipliers"]
    if not rules.multiplier_cards:
        raise FeedError("multipliers", shorten(cards), f"nothing: {rules.name} has none")
    if type(cards) is not dict:
        raise FeedError("multipliers", shorten(cards), "an object of cards and their values")
    for card in cards:
        if card not in INDEX:
            raise FeedError("multipliers", shorten(card), 'a card, such as "8H"')
        if type(cards[card]) is not str:
            raise FeedError(f"multipliers.{card}", shorten(cards[card]), 'text, such as "2.5"')
    return tuple(cards.items())
