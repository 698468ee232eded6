"""Explanations as letters to customers, in the active language."""

from collections.abc import Iterator
from itertools import groupby
from textwrap import fill
from typing import Final

from django.utils import formats
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rounds.explanations.sentences import sentence
from rounds.formatting import bet_kind_label, euro, in_rome
from rounds.replay import Judged, Rejected, explanations_of
from rounds.row_mapping import datetime_of
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import rule_set
from rounds.rules.explained.explanation import Explanation, Step
from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet
from rounds.rules.verdict import VOID

_WIDTH: Final = 88
_FEED_CONTRACT: Final = "FEED"
"""The sheet key of rules that no printed sheet has."""


def customer_letter(result: Judged | Rejected) -> str:
    """The letter on a line of a feed: why each bet pays what it pays, or what is wrong."""
    if isinstance(result, Rejected):
        text = _("This line could not be read: %(error)s.") % {"error": result.error}
        return _paragraphs([text])
    return _paragraphs(_round(result))


def _paragraphs(paragraphs: Iterator[str] | list[str]) -> str:
    return "\n\n".join(fill(paragraph, _WIDTH) for paragraph in paragraphs) + "\n"


def _round(judged: Judged) -> Iterator[str]:
    dealt, verdict = judged
    rules = rule_set(dealt.rules)
    yield _heading(dealt, rules)
    if verdict.anomalies:
        yield " ".join(
            [
                _("This round is being checked. No money moves until the check is complete."),
                *(_(ANOMALIES[code]) for code in verdict.anomalies),
            ]
        )
    for explained in explanations_of(judged):
        yield from _bet(explained, rules)


def _heading(dealt: Round, rules: RuleSet) -> str:
    opened = datetime_of(dealt.opened_at)
    local, zone = in_rome(opened)
    day = formats.date_format(local, "j F Y")
    return _(
        "Round #%(code)s of %(day)s, %(game)s, table %(table)s. The code is the time in GMT at"
        " which betting opened (%(opened)s in Rome). All times below are Rome time."
    ) % {
        "code": f"{opened:%H:%M:%S}",
        "day": day.lower() if get_language() == "it" else day,  # Django writes "Novembre"
        "game": rules.game,
        "table": dealt.table,
        "opened": f"{local:%H:%M:%S}{zone}",
    }


def _bet(explained: Explanation, rules: RuleSet) -> Iterator[str]:
    """The bet, then its steps: a paragraph up to each decision and one for its money."""
    yield _("Bet %(id)s (%(kind)s) of %(customer)s, participation %(participation)s") % {
        "id": explained.bet.id,
        "kind": bet_kind_label(explained.bet.kind),
        "customer": explained.bet.player,
        "participation": explained.bet.participation,
    }
    for _number, steps in groupby(_numbered(explained), key=lambda step: step[0]):
        yield " ".join(_with_heading(step, rules) for _part, step in steps)
    yield _closing(explained)


def _numbered(explained: Explanation) -> Iterator[tuple[int, Step]]:
    """Each step with the number of its paragraph; a decision begins a paragraph."""
    paragraph = 0
    for step in explained.steps:
        paragraph += step.rule is not None
        yield paragraph, step


def _with_heading(step: Step, rules: RuleSet) -> str:
    """The sentence, with the heading of the rule sheet before the full stop."""
    text = sentence(step)
    cited = rules.reasons.get(step.rule or "")
    if cited is None or cited.sheet == _FEED_CONTRACT:
        return text
    return _("%(sentence)s (rules of the game, “%(heading)s”).") % {
        "sentence": text.removesuffix("."),
        "heading": cited.heading,
    }


def _closing(explained: Explanation) -> str:
    payout_cents = explained.grade.payout_cents
    if explained.grade.outcome == VOID:
        return _("Therefore %(payout)s was returned to you.") % {"payout": euro(payout_cents)}
    if not payout_cents:
        return _("Therefore nothing was credited for this bet.")
    return _("The total credited for this bet is therefore %(payout)s.") % {
        "payout": euro(payout_cents)
    }
