"""A ruling as text: the facts that it decides, each with its name."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rounds.formatting import NONE, count, format_cards, place_label, play_label
from rounds.rules.facts import Bonus
from rounds.rules.ruling import Ruling


def ruling_text(ruling: Ruling) -> str:
    """The decided facts, one on each line; bets by their number in the feed, from 1."""
    return "\n".join(f"{name}: {value}" for name, value in _facts(ruling))


def multipliers_text(pairs: Sequence[tuple[str, str]] | None) -> str:
    """Multiplier cards, each with its multiplier."""
    texts = [
        f"{format_cards((card,))} \N{MULTIPLICATION SIGN}{value}" for card, value in pairs or ()
    ]
    return ", ".join(texts) or _("none")


def bonus_text(bonus: Bonus | None) -> str:
    """Level, spins and multiplier of a bonus, whose grid is on the page of the round."""
    if bonus is None:
        return _("none")
    spins = len(bonus.spins)
    text = ngettext(
        "level %(level)s, %(spins)s spin, multiplier %(multiplier)s",
        "level %(level)s, %(spins)s spins, multiplier %(multiplier)s",
        spins,
    )
    multiplier = f"\N{MULTIPLICATION SIGN}{bonus.multiplier}"
    return text % {"level": bonus.level, "spins": spins, "multiplier": multiplier}


def malfunction_text(*, malfunction: bool) -> str:
    """Whether the round malfunctioned."""
    return _("broken") if malfunction else _("intact")


def _facts(ruling: Ruling) -> Iterator[tuple[str, str]]:
    if ruling.cards is not None:
        cards = [f"{place_label(place)} {format_cards((card,))}" for place, card in ruling.cards]
        yield _("Cards"), ", ".join(cards) or NONE
    for number, play in sorted(ruling.plays.items()):
        subject = _("Decisions of bet %(bet)s") % {"bet": number + 1}
        yield subject, play_label(play) or _("stand")
    if ruling.multipliers is not None:
        yield _("Multiplier cards"), multipliers_text(ruling.multipliers)
    if ruling.bonus is not None or ruling.no_bonus:
        yield _("Bonus"), _("not played") if ruling.no_bonus else bonus_text(ruling.bonus)
    if ruling.malfunction is not None:
        yield _("Round"), malfunction_text(malfunction=ruling.malfunction)
    if ruling.as_dealt:
        yield _("Shoe, stake limits and reported payouts"), _("not checked")
    if ruling.released:
        yield _("Anomalies on arrival"), _("overridden")
    if ruling.refunded:
        yield _("Refunded bets"), ", ".join(count(number + 1) for number in sorted(ruling.refunded))
