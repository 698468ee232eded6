"""One change of a round's cards: what happened to which card.

The form is sent with the cards as they are read so far; the answer has them with the change. Only
the cards become part of a ruling.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django import forms
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rounds.formatting import place_label
from rounds.rules.baccarat.coup import BANKER, PLAYER
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.cards import CARDS, RANKS, SUITS
from rounds.rules.rule_set import RuleSet

Cards = list[tuple[str, str]]
"""Places and cards, in dealing order."""


class What(TextChoices):
    """What happened to a card."""

    NONE = "none", gettext_lazy("The cards are as shown")
    NOT_DEALT = "not_dealt", gettext_lazy("A card was not dealt")
    MISREAD = "misread", gettext_lazy("A card was misread")
    ELSEWHERE = "elsewhere", gettext_lazy("A card is for another place")
    MISSING = "missing", gettext_lazy("A card is missing")


_EXPLAINED: Final = {
    What.NONE: gettext_lazy("Only other facts below change, or nothing more."),
    What.NOT_DEALT: gettext_lazy("It never left the shoe and is taken out of the round."),
    What.MISREAD: gettext_lazy("Choose the card, then what the video shows."),
    What.MISSING: gettext_lazy("It was dealt and not read. Choose it and its place."),
}


class Option(NamedTuple):
    """A choice of the form."""

    value: str
    label: str
    note: str
    is_chosen: bool


class CardChangeForm(forms.Form):
    """What happened, to which card, and what the video shows instead."""

    change = forms.ChoiceField(choices=What.choices, required=False)
    number = forms.IntegerField(min_value=0, required=False)
    """The card in dealing order, from 1; of a missing card the one before it, or 0."""
    code = forms.ChoiceField(choices=[(card, card) for card in CARDS], required=False)
    where = forms.CharField(required=False)

    def __init__(self, *arguments: Any, cards: Cards, rules: RuleSet, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cards = cards
        self._rules = rules

    def clean(self) -> dict[str, Any]:
        """All that the change needs."""
        cleaned = super().clean() or {}
        what, number = cleaned.get("change") or What.NONE, cleaned.get("number")
        lowest = 0 if what == What.MISSING else 1
        if what != What.NONE and (number is None or not lowest <= number <= len(self.cards)):
            self.add_error("number", _("Choose the card."))
        if what in (What.MISREAD, What.MISSING) and not cleaned.get("code"):
            self.add_error("code", _("Choose the card that the video shows."))
        has_choice = what == What.MISSING or (what == What.ELSEWHERE and self._rules.boxes)
        if has_choice and cleaned.get("where") not in places_of(self._rules):
            self.add_error("where", _("Choose the place."))
        return cleaned

    def changed(self) -> Cards:
        """The cards with the change. The form is valid."""
        data, cards = self.cleaned_data, list(self.cards)
        index = (data["number"] or 0) - 1
        match data["change"]:
            case What.NOT_DEALT:
                del cards[index]
            case What.MISREAD:
                cards[index] = (cards[index][0], data["code"])
            case What.ELSEWHERE:
                place, code = cards[index]
                cards[index] = (data["where"] if self._rules.boxes else _other_hand(place), code)
            case What.MISSING:
                cards.insert(index + 1, (data["where"], data["code"]))
        return cards

    def whats(self) -> Iterator[Option]:
        """What may have happened."""
        chosen = self["change"].value() or What.NONE
        elsewhere = (
            (
                _("A card is for another box"),
                _("Choose the card, then the hand that it belongs to."),
            )
            if self._rules.boxes
            else (_("A card is for the other hand"), _("It moves from Player to Banker, or back."))
        )
        for what in What:
            label, note = (
                elsewhere if what == What.ELSEWHERE else (str(what.label), str(_EXPLAINED[what]))
            )
            yield Option(what.value, label, note, what.value == chosen)

    def numbered_cards(self) -> Iterator[tuple[int, str, str, bool]]:
        """Number, place, card and whether it is chosen."""
        chosen = str(self["number"].value())
        for number, (place, code) in enumerate(self.cards, 1):
            yield number, place_label(place), code, str(number) == chosen

    def grid(self) -> list[list[tuple[str, bool]]]:
        """The cards of a deck: a row a suit, a column a rank; and whether one is chosen."""
        chosen = self["code"].value()
        return [[(rank + suit, rank + suit == chosen) for rank in RANKS] for suit in SUITS]

    def places(self) -> list[Option]:
        """Where a card can lie."""
        chosen = self["where"].value()
        return [
            Option(place, place_label(place), "", place == chosen)
            for place in places_of(self._rules)
        ]

    def all_errors(self) -> list[str]:
        """What is missing, as text."""
        return [str(error) for errors in self.errors.values() for error in errors]


def places_of(rules: RuleSet) -> Sequence[str]:
    """The places of the table where a card can lie, in table order."""
    if not rules.boxes:
        return [PLAYER, BANKER]
    halves = [f"{box}{half}" for box in range(1, rules.boxes + 1) for half in ("", "a", "b", "z")]
    return [DEALER, *halves]


def _other_hand(place: str) -> str:
    return BANKER if place == PLAYER else PLAYER
