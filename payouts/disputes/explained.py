"""Why contested bets were paid what they were, in both languages, with headings and readings."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext, override

from rounds.models import Round
from rounds.queries import part_of_round
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.explained.explanation import Explanation, Step
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade
from rounds.sentences import sentence

_LANGUAGES: Final = ("it", "en")


class ExplainedBets(NamedTuple):
    """The steps of each bet by its number, and the readings that they rest on."""

    steps: Mapping[int, dict[str, Any]]
    readings: list[dict[str, Any]]


def explained_bets(row: Round, grades: Mapping[int, Grade], ruling: Ruling | None) -> ExplainedBets:
    """Why these bets of a round have these grades; nothing of rules that the code does not know."""
    rules = RULE_SETS.get(row.rules)
    if rules is None or not grades:
        return ExplainedBets({}, [])
    first, last = min(grades), max(grades)
    part = part_of_round(row, after=first - 1, most=last - first + 1, ruling=ruling)
    graded = [(part.bets[number], grade) for number, grade in grades.items()]
    told = dict(zip(grades, rules.explain(part.dealt, graded), strict=True))
    steps = {number: _bet(one, rules) for number, one in told.items()}
    return ExplainedBets(steps, _readings(_points(rules, told.values())))


def _bet(told: Explanation, rules: RuleSet) -> dict[str, Any]:
    return {"steps": [_step(step, rules) for step in told.steps], "adds_up": told.adds_up}


def _step(step: Step, rules: RuleSet) -> dict[str, Any]:
    cited = rules.reasons.get(step.rule or "")
    return {
        "rule": step.rule,
        "sheet": None if cited is None else cited.sheet,
        "heading": None if cited is None else cited.heading,
        "text": {language: _in(language, step) for language in _LANGUAGES},
        "adds_cents": step.cash_cents + step.chips_cents,
    }


def _in(language: str, step: Step) -> str:
    with override(language):
        return sentence(step)


def _points(rules: RuleSet, told: Iterable[Explanation]) -> list[str]:
    """The entries of the register on which the bets' rules rest, and those of the game's."""
    cited = [rules.reasons[key].rests_on for one in told for key in one.rules]
    return sorted({*rules.ambiguities, *(key for keys in cited for key in keys)})


def _readings(keys: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "title": _both(REGISTER[key].title),
            "reading": _both(REGISTER[key].settled_by.says),
            "why": _both(REGISTER[key].why),
        }
        for key in keys
    ]


def _both(text: str) -> dict[str, str]:
    told = {}
    for language in _LANGUAGES:
        with override(language):
            told[language] = gettext(text)
    return told
