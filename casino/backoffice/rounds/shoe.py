"""The page of a shoe: cards dealt, cards remaining, and rounds."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from casino.backoffice.site.views import show
from payouts.settlement.queries import settlement_statuses
from rounds.models import Round, ShoeOpening
from rounds.rules.cards import INDEX, RANKS, SUITS
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.shoe import Shoe
from rounds.services.intake import shoes_now

_MOST_ROUNDS: Final = 300
_MOST_OPENINGS: Final = 20


class Count(NamedTuple):
    """One card of the shoe."""

    card: str
    seen: int
    decks: int | None

    @property
    def left(self) -> int | None:
        """Number of cards that may remain; None if the decks are unknown."""
        return None if self.decks is None else max(self.decks - self.seen, 0)

    @property
    def is_too_many(self) -> bool:
        """More were seen than the decks contain."""
        return self.decks is not None and self.seen > self.decks

    @property
    def is_used_up(self) -> bool:
        """All cards of the decks were seen."""
        return self.decks is not None and self.seen == self.decks


def show_shoe(request: HttpRequest) -> HttpResponse:
    """The shoe with ``?id=``. Raises Http404 if no announcement or round has it."""
    name = request.GET.get("id", "")
    if "\0" in name:
        raise Http404
    openings = list(
        ShoeOpening.objects.filter(shoe=name)
        .select_related("table")
        .order_by("-arrival")[:_MOST_OPENINGS]
    )
    rounds = list(
        Round.objects.filter(shoe=name)
        .select_related("table")
        .order_by("-arrival")[: _MOST_ROUNDS + 1]
    )
    if not openings and not rounds:
        raise Http404
    return show(request, "backoffice/rounds/shoe.html", _context(name, openings, rounds))


def _context(name: str, openings: Sequence[ShoeOpening], rounds: Sequence[Round]) -> dict[str, Any]:
    listed = rounds[:_MOST_ROUNDS]
    table = (rounds[0] if rounds else openings[0]).table
    rules = RULE_SETS.get(rounds[0].rules if rounds else table.rules)
    decks = rules.decks if rules else None
    shoe = shoes_now([name])[name]
    statuses = settlement_statuses([row.id for row in listed])
    suits = list(_suits(shoe, decks))
    drawn, seen = shoe.position or 0, sum(shoe.seen)
    return {
        "title": _("Shoe %(name)s") % {"name": name},
        "table": table,
        "decks": decks,
        "openings": openings,
        "seen": shoe.seen,
        "drawn": drawn,
        "unseen": drawn - seen,
        "left": None if decks is None else decks * len(INDEX) - drawn,
        "ranks": [rank.replace("T", "10") for rank in RANKS],
        "suits": suits,
        "too_many": [
            count.card for _suit, counts in suits for count in counts if count.is_too_many
        ],
        "rounds": [(row, statuses[row.id], (row.drawn or 0) + len(row.cards)) for row in listed],
        "is_cut": len(rounds) > _MOST_ROUNDS,
    }


def _suits(shoe: Shoe, decks: int | None) -> Iterator[tuple[str, list[Count]]]:
    """The cards of each suit, by its letter."""
    for suit in SUITS:
        cards = [f"{rank}{suit}" for rank in RANKS]
        yield suit, [Count(card, shoe.seen[INDEX[card]], decks) for card in cards]
