"""Explanations of contested bets in Italian and English, with headings and readings."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.utils.translation import gettext

from rounds.explanations.sentences import sentence
from rounds.formatting import in_each_language
from rounds.models import Round
from rounds.queries import part_of_round
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.explained.explanation import Explanation, Step
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade


class ExplainedBets(NamedTuple):
    """The steps of each bet by its number, and the readings that they cite."""

    steps: Mapping[int, dict[str, Any]]
    readings: list[dict[str, Any]]


def explain_bets(row: Round, grades: Mapping[int, Grade], ruling: Ruling | None) -> ExplainedBets:
    """Explains the grades of these bets; empty if the code does not know the round's rules."""
    rules = RULE_SETS.get(row.rules)
    if rules is None or not grades:
        return ExplainedBets({}, [])
    first, last = min(grades), max(grades)
    part = part_of_round(row, after=first - 1, most=last - first + 1, ruling=ruling)
    graded = [(part.bets[number], grade) for number, grade in grades.items()]
    explained = dict(zip(grades, rules.explain(part.dealt, graded), strict=True))
    steps = {number: _bet(explanation, rules) for number, explanation in explained.items()}
    return ExplainedBets(steps, _readings(_points(rules, explained.values())))


def _bet(explanation: Explanation, rules: RuleSet) -> dict[str, Any]:
    steps = [_step(step, rules) for step in explanation.steps]
    return {"steps": steps, "adds_up": explanation.adds_up}


def _step(step: Step, rules: RuleSet) -> dict[str, Any]:
    cited = rules.reasons.get(step.rule or "")
    return {
        "rule": step.rule,
        "sheet": None if cited is None else cited.sheet,
        "heading": None if cited is None else cited.heading,
        "text": in_each_language(partial(sentence, step)),
        "adds_cents": step.cash_cents + step.chips_cents,
    }


def _points(rules: RuleSet, explanations: Iterable[Explanation]) -> list[str]:
    """The register entries that the bets' rules rest on, and those of the game."""
    cited = [rules.reasons[key].rests_on for bet in explanations for key in bet.rules]
    return sorted({*rules.ambiguities, *(key for keys in cited for key in keys)})


def _readings(keys: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "title": in_each_language(partial(gettext, REGISTER[key].title)),
            "reading": in_each_language(partial(gettext, REGISTER[key].settled_by.says)),
            "why": in_each_language(partial(gettext, REGISTER[key].why)),
        }
        for key in keys
    ]
