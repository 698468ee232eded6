"""Explanations as pages show them: each step with its rule and its amount."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from rounds.explanations.sentences import sentence
from rounds.rules.citation import Citation
from rounds.rules.explained.explanation import Explanation, Step
from rounds.rules.rule_set import RuleSet

_CARD: Final = re.compile(r"(?:10|[2-9AJQK])[\u2660\u2663\u2665\u2666]")
_RED: Final = "\u2665\u2666"


class WhyStep(NamedTuple):
    """A step: sentence, rule if it is a decision, and amount."""

    text: SafeString
    reason: str | None
    """The anchor on the page of the rule set; None if the step cites no rule."""
    rule: Citation | None
    readings: SafeString
    """Links to the rule interpretations on which the rule is based."""
    adds_cents: int


class Why(NamedTuple):
    """The explanation of a bet."""

    steps: tuple[WhyStep, ...]
    comes_to_cents: int
    adds_up: bool
    """Whether the steps add up to the settled payout; otherwise compliance must check."""


def why_of(explanation: Explanation, rules: RuleSet, readings: Mapping[str, SafeString]) -> Why:
    """The explanation of a bet, with these links for the reasons of the rule set."""
    steps = tuple(_step(step, rules, readings) for step in explanation.steps)
    return Why(steps, explanation.credited_cents, explanation.adds_up)


def _step(step: Step, rules: RuleSet, readings: Mapping[str, SafeString]) -> WhyStep:
    reason = step.rule or ""
    return WhyStep(
        with_cards(sentence(step)),
        step.rule if reason in rules.citations else None,
        rules.reasons.get(reason),
        readings.get(reason, SafeString("")),
        step.cash_cents + step.chips_cents,
    )


def with_cards(text: str) -> SafeString:
    """The sentence with unbroken cards; red cards are red."""
    return mark_safe(_CARD.sub(_card, escape(text)))  # noqa: S308  what is not a card is escaped


def _card(match: re.Match[str]) -> str:
    colour = "is-red" if match[0][-1] in _RED else "is-black"
    return format_html('<b class="card-text {}">{}</b>', colour, match[0])
