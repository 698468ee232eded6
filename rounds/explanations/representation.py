"""Explanations as JSON: each step as a sentence in the active language, with typed values."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext

from rounds.explanations.sentences import sentence
from rounds.feed.times import format_time
from rounds.replay import Judged, Rejected, explanations_of, result_of
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.cards import Total
from rounds.rules.catalogue import rule_set
from rounds.rules.citation import Citation
from rounds.rules.explained.explanation import (
    BetName,
    Cards,
    CellValues,
    ExactMoney,
    Factor,
    HandName,
    LevelName,
    Moment,
    Money,
    MultiplierCards,
    Step,
)
from rounds.rules.money import format_cents
from rounds.rules.odds import Odds, Percent

Json = dict[str, Any]


def explained_result(judged: Judged | Rejected) -> Json:
    """The result of a replay with the steps of each bet and sentences for the anomalies."""
    result = result_of(judged)
    if isinstance(judged, Rejected):
        return result
    citations = rule_set(judged.dealt.rules).reasons
    bets = {
        explained.bet.id: {
            **result["bets"][explained.bet.id],
            "explanation": [step_to_json(step, citations) for step in explained.steps],
        }
        for explained in explanations_of(judged)
    }
    result |= {"bets": bets}
    if judged.verdict.anomalies:
        result["explanation"] = [
            {"text": gettext(ANOMALIES[code]), "anomaly": code} for code in judged.verdict.anomalies
        ]
    return result


def step_to_json(step: Step, citations: Mapping[str, Citation]) -> Json:
    """A step: its sentence, the rule that it cites if any, the money that it adds, its values."""
    traced: Json = {"text": sentence(step)}
    if step.rule is not None:
        cited = citations[step.rule]
        traced |= {
            "rule": step.rule,
            "sheet": cited.sheet,
            "heading": cited.heading,
            "readings": list(cited.rests_on),
        }
    if step.cash_cents:
        traced["cash"] = format_cents(step.cash_cents)
    if step.chips_cents:
        traced["chips"] = format_cents(step.chips_cents)
    traced["values"] = {name: _JSON[type(value)](value) for name, value in step.values.items()}
    return traced


def _exact(amount: ExactMoney) -> Json:
    exact = Fraction(amount.cents, amount.parts)
    return {"cents": exact.numerator, "of": exact.denominator}


def _odds(odds: Odds) -> Json:
    exact = Fraction(*odds)
    return {"won": exact.numerator, "staked": exact.denominator}


_JSON: Final[Mapping[type, Callable[[Any], Any]]] = {
    int: int,
    Odds: _odds,
    Percent: lambda percent: {"part": percent.share.won, "of": percent.share.staked},
    Total: lambda total: {"points": total.points, "soft": total.is_soft},
    Money: lambda money: {"cents": money.cents},
    ExactMoney: _exact,
    Cards: lambda cards: list(cards.codes),
    Factor: lambda factor: _odds(factor.times),
    MultiplierCards: lambda held: {card: _odds(times) for card, times in held.cards},
    Moment: lambda moment: format_time(moment.at),
    HandName: lambda name: {"hand": name.number},
    BetName: lambda name: {"bet": name.kind},
    LevelName: lambda name: {"level": name.level},
    CellValues: lambda cells: list(cells.values),
}
