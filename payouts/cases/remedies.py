"""Remedies of cases, and the malfunction policy of a game's sheet."""

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
    """What a case does with the money of a round or of a customer."""

    VOID = "void", _("Void the round and refund all stakes")
    REAL_RESULT = "real_result", _("Pay by the actual result")
    WITHOUT_BONUS = "without_bonus", _("Pay by the actual result, without the bonus")
    BY_RULES = "by_rules", _("Release and settle by the rules")
    CORRECT = "correct", _("Settle the corrected round")
    REFUND_BETS = "refund_bets", _("Refund single bets")
    CREDIT = "credit", _("Credit the customer")


class Policy(NamedTuple):
    """The malfunction policy of a game's sheet."""

    remedy: Remedy
    """What the sheet provides."""
    citation: Citation
    others: Sequence[Remedy]
    """Remedies that persons may decide instead, with a reason."""


def malfunction_policy(rules: RuleSet) -> Policy:
    """The remedy that the sheet provides, with its citation, and the other possible ones."""
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
    """The ruling that a remedy implies without changing facts; None for a void by decision.

    If the sheet voids malfunctioning rounds, the void follows from the sheet and cites its rule.
    """
    if remedy is Remedy.BY_RULES:
        return Ruling(released=True)
    if remedy is Remedy.REAL_RESULT:
        return Ruling(malfunction=False, as_dealt=True)
    if remedy is Remedy.WITHOUT_BONUS:
        return Ruling(malfunction=True, no_bonus=True, as_dealt=True)
    if malfunction_policy(rules).remedy is Remedy.VOID:
        return Ruling(malfunction=True)
    return None
