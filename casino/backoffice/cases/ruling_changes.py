"""The differences that a ruling makes to a round."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from django.utils.translation import gettext as _

from rounds.explanations.ruling_text import bonus_text, malfunction_text, multipliers_text
from rounds.formatting import place_label, play_label
from rounds.models import Bet, Round
from rounds.row_mapping import bonus_of, cards_of, multipliers_of
from rounds.rules.facts import Bonus
from rounds.rules.ruling import Ruling

Card = tuple[str, str]


class Change(NamedTuple):
    """One difference. Cards are feed codes; texts are translated."""

    what: str
    original: str
    ruled: str
    original_card: str = ""
    ruled_card: str = ""


def ruling_changes(row: Round, ruling: Ruling) -> list[Change]:
    """All differences between the ruling and the round as received."""
    changes = [*_cards(cards_of(row.cards), ruling.cards), *_plays(row, ruling)]
    original = multipliers_of(row.multipliers)
    if ruling.multipliers is not None and ruling.multipliers != original:
        texts = multipliers_text(original), multipliers_text(ruling.multipliers)
        changes.append(Change(_("Multiplier cards"), *texts))
    if ruling.bonus is not None or ruling.no_bonus:
        changes.append(_bonus_change(bonus_of(row.bonus), ruling.bonus))
    if ruling.malfunction is not None and ruling.malfunction != row.malfunction:
        changes.append(
            Change(
                _("Round"),
                malfunction_text(malfunction=row.malfunction),
                malfunction_text(malfunction=ruling.malfunction),
            )
        )
    if ruling.refunded:
        changes += _refunds(row, ruling)
    return changes


def _cards(original: Sequence[Card], ruled: Sequence[Card] | None) -> Iterator[Change]:
    if ruled is None:
        return
    matcher = SequenceMatcher(a=original, b=ruled, autojunk=False)
    for _tag, start, end, first, last in matcher.get_opcodes():
        if original[start:end] == ruled[first:last]:
            continue
        for index in range(max(end - start, last - first)):
            before = original[start + index] if start + index < end else None
            after = ruled[first + index] if first + index < last else None
            yield _card(start + index + 1, before, after)


def _card(number: int, before: Card | None, after: Card | None) -> Change:
    return Change(
        _("Card %(number)s") % {"number": number},
        _("none") if before is None else place_label(before[0]),
        _("not dealt") if after is None else place_label(after[0]),
        "" if before is None else before[1],
        "" if after is None else after[1],
    )


def _plays(row: Round, ruling: Ruling) -> Iterator[Change]:
    if not ruling.plays:
        return
    for bet in Bet.objects.filter(round=row, number__in=ruling.plays).order_by("number"):
        original, ruled = play_label(bet.play), play_label(ruling.plays[bet.number])
        subject = _("Decisions of bet %(bet)s") % {"bet": bet.reference}
        yield Change(subject, original or _("stand"), ruled or _("stand"))


def _bonus_change(original: Bonus | None, ruled: Bonus | None) -> Change:
    before, after = bonus_text(original), _("not played") if ruled is None else bonus_text(ruled)
    if before == after:
        after = _("%(bonus)s, with other values in the grid") % {"bonus": after}
    return Change(_("Bonus"), before, after)


def _refunds(row: Round, ruling: Ruling) -> Iterator[Change]:
    bets = Bet.objects.filter(round=row, number__in=ruling.refunded).order_by("number")
    for bet in bets.select_related("customer"):
        subject = _("Bet %(bet)s of %(customer)s") % {
            "bet": bet.reference,
            "customer": bet.customer.pseudonym,
        }
        yield Change(subject, _("counts"), _("refunded"))
