"""Why each bet of a page was paid what it was: the steps of its explanation, ready to be shown."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from rounds.models import Round
from rounds.queries import part_of_round
from rounds.rules.citation import Citation
from rounds.rules.explained.explanation import Explanation, Step
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade
from rounds.sentences import sentence

_CARD: Final = re.compile(r"(?:10|[2-9AJQK])[\u2660\u2663\u2665\u2666]")
_RED: Final = "\u2665\u2666"


class WhyStep(NamedTuple):
    """A step: its sentence, the rule that it rests on if it is a decision, what it adds."""

    text: SafeString
    reason: str | None
    """Its place on the page of the rule set; None for no decision, and for one that is no rule."""
    rule: Citation | None
    readings: SafeString
    """Links to the entries of the register on which the rule rests."""
    adds_cents: int


class Why(NamedTuple):
    """The explanation of a bet."""

    steps: tuple[WhyStep, ...]
    comes_to_cents: int
    adds_up: bool
    """Whether the steps lead to what was settled; anything else is for compliance to look at."""


def why_paid(
    row: Round, rules: RuleSet, grades: Mapping[int, Grade], ruling: Ruling | None = None
) -> dict[int, Why]:
    """By number, the explanation of each of these bets' grades, in one query."""
    if not grades:
        return {}
    first, last = min(grades), max(grades)
    part = part_of_round(row, after=first - 1, most=last - first + 1, ruling=ruling)
    graded = [(part.bets[number], grade) for number, grade in grades.items()]
    explained = rules.explain(part.dealt, graded)
    readings = {
        reason: render_to_string("pages/reading_links.html", {"keys": cited.rests_on})
        for reason, cited in rules.reasons.items()
    }
    return {
        number: _why(told, rules, readings) for number, told in zip(grades, explained, strict=True)
    }


def _why(told: Explanation, rules: RuleSet, readings: Mapping[str, SafeString]) -> Why:
    steps = tuple(_step(step, rules, readings) for step in told.steps)
    return Why(steps, told.credited_cents, told.adds_up)


def _step(step: Step, rules: RuleSet, readings: Mapping[str, SafeString]) -> WhyStep:
    reason = step.rule or ""
    return WhyStep(
        _with_cards(sentence(step)),
        step.rule if reason in rules.citations else None,
        rules.reasons.get(reason),
        readings.get(reason, SafeString("")),
        step.cash_cents + step.chips_cents,
    )


def _with_cards(text: str) -> SafeString:
    """The sentence with its cards unbroken, red ones in red."""
    return mark_safe(_CARD.sub(_card, escape(text)))  # noqa: S308  what is not a card is escaped


def _card(match: re.Match[str]) -> str:
    colour = "is-red" if match[0][-1] in _RED else "is-black"
    return format_html('<b class="pip {}">{}</b>', colour, match[0])
