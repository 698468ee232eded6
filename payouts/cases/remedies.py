"""What can be decided about a round, and what its game's sheet provides for a malfunction."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from rounds.rules.blackjack.declaration import BlackjackGame, Malfunction
from rounds.rules.citation import Citation
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.void import MALFUNCTION


class Remedy(TextChoices):
    """What is done to the money of a round, or to a customer's."""

    VOID = "void", _("Void the round and give everything back")
    REAL_RESULT = "real_result", _("Pay on the real result")
    WITHOUT_BONUS = "without_bonus", _("Pay on the real result, without the bonus")
    CORRECT = "correct", _("Settle by the corrected round")
    REFUND_BETS = "refund_bets", _("Give single bets back")
    CREDIT = "credit", _("Credit the customer")


class Policy(NamedTuple):
    """What the sheet of a game says of malfunctions."""

    remedy: Remedy
    """What it provides."""
    citation: Citation
    others: Sequence[Remedy]
    """What persons may decide against it, with their reasons."""


def policy_of(rules: RuleSet) -> Policy:
    """The sheet's own remedy for a malfunction, where it stands, and the others."""
    spares = isinstance(rules.declaration, BlackjackGame) and (
        rules.declaration.malfunction is Malfunction.VOIDS_INCOMPLETE
    )
    provided = Remedy.WITHOUT_BONUS if spares and rules.bonus_levels else Remedy.VOID
    possible = [Remedy.VOID, Remedy.REAL_RESULT]
    if rules.bonus_levels:
        possible.append(Remedy.WITHOUT_BONUS)
    others = [remedy for remedy in possible if remedy is not provided]
    return Policy(provided, rules.citations[MALFUNCTION], others)


def ruling_for(remedy: Remedy, rules: RuleSet) -> Ruling | None:
    """How a round is read under a remedy that leaves its facts; None for a void by decision.

    Where the sheet voids a round that broke down, such a void is the sheet's: the rule is cited,
    and no decision needs to stand in for it.
    """
    if remedy is Remedy.REAL_RESULT:
        return Ruling(malfunction=False, as_dealt=True)
    if remedy is Remedy.WITHOUT_BONUS:
        return Ruling(malfunction=True, no_bonus=True, as_dealt=True)
    if policy_of(rules).remedy is Remedy.VOID:
        return Ruling(malfunction=True)
    return None
