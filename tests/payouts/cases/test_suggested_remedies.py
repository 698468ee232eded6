"""The suggested remedy of a held round, compared with the verdict of the rules after it."""

import json
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

import pytest

from payouts.cases.suggested_remedies import SUGGESTED_REMEDIES, SuggestedRemedy, suggested_remedy
from rounds.feed import parse_line
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.ruling import Ruling, judge_as_ruled
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import HELD
from tests.rounds.contract.by_hand import bet, deal
from tests.rounds.rules.findings.finding_cases import CASES

AS_DEALT = Ruling(malfunction=False, as_dealt=True)
ON_ARRIVAL = {"late-arrival", "unsigned-source"}
OVERRIDDEN_AS_DEALT = {"payout-differs", "shoe-gap", "stake-limits", "too-many-copies"}


def faulty_rounds() -> Iterator[tuple[str, Round, Shoe, Limits]]:
    """A round with one anomaly for most of the codes, with its shoe and limits."""
    for code, rules, (text, *rest), *_words in CASES:
        arguments: list[Any] = list(rest)
        bets = [argument for argument in arguments if "id" in argument]
        fields = dict(
            chain.from_iterable(argument.items() for argument in arguments if "id" not in argument)
        )
        yield code, read(text, *bets, rules=rules, **fields), Shoe(), NO_LIMITS
    plain = read("1:9S D:TD 1:9C D:8C", bet("b1"))
    yield "shoe-gap", plain, Shoe(55), NO_LIMITS
    yield "stake-limits", plain, Shoe(), {"main": (2000, 5000)}
    seen = Shoe().dealt(drawn=45, cards=["9C"] * 8)._replace(position=None)
    yield "too-many-copies", plain, seen, NO_LIMITS


def read(*document: object, **fields: object) -> Round:
    """A round of these cards and bets."""
    parsed = parse_line(json.dumps(deal(*document, **fields)).encode())  # type: ignore[arg-type]
    assert isinstance(parsed, Round)
    return parsed


def test_every_anomaly_has_a_suggested_remedy() -> None:
    """Including the anomalies of arrival."""
    assert set(SUGGESTED_REMEDIES) >= set(ANOMALIES) | ON_ARRIVAL
    assert all(SUGGESTED_REMEDIES.values())


def test_a_release_is_suggested_if_the_rules_accept_it() -> None:
    """Exactly the rounds no longer held when settled as dealt."""
    rounds = list(faulty_rounds())

    for code, dealt, shoe, limits in rounds:
        rules = RULE_SETS[dealt.rules]
        assert rules.judge(dealt, shoe, limits).anomalies == (code,)
        released = judge_as_ruled(rules, dealt, shoe, limits, AS_DEALT)
        assert (SuggestedRemedy.AS_DEALT in SUGGESTED_REMEDIES[code]) == (
            released.status != HELD
        ), code

    assert {code for code, *_rest in rounds} >= set(ANOMALIES) - {"bonus-unearned"} - ON_ARRIVAL


def test_the_table_and_the_ruling_name_the_same_codes() -> None:
    """The anomalies that a release ignores."""
    released = {
        code for code, ways in SUGGESTED_REMEDIES.items() if SuggestedRemedy.AS_DEALT in ways
    }

    assert released - ON_ARRIVAL == OVERRIDDEN_AS_DEALT


@pytest.mark.parametrize(
    ("codes", "helps"),
    [
        (["payout-differs"], SuggestedRemedy.BY_THE_RULES),
        (["missing-card"], SuggestedRemedy.CORRECT),
        (["extra-card", "illegal-play"], SuggestedRemedy.CORRECT),
        (["shoe-gap"], SuggestedRemedy.AS_DEALT),
        (["stake-limits"], SuggestedRemedy.AS_DEALT),
        (["too-many-copies"], SuggestedRemedy.CORRECT),
        (["shoe-gap", "too-many-copies"], SuggestedRemedy.AS_DEALT),
        (["extra-card", "too-many-copies"], SuggestedRemedy.CORRECT),
        (["missing-card", "shoe-gap"], SuggestedRemedy.VOID),
        (["insurance-amount"], SuggestedRemedy.VOID),
        (["extra-card", "insurance-amount"], SuggestedRemedy.VOID),
        (["late-arrival"], SuggestedRemedy.RELEASE),
        (["late-arrival", "unsigned-source"], SuggestedRemedy.RELEASE),
        (["payout-differs", "unsigned-source"], SuggestedRemedy.RELEASE),
        (["late-arrival", "shoe-gap"], SuggestedRemedy.AS_DEALT),
        (["late-arrival", "missing-card"], SuggestedRemedy.CORRECT),
        (["a-code-of-tomorrow"], SuggestedRemedy.AS_DEALT),
    ],
)
def test_the_remedy_resolves_all_anomalies(codes: list[str], helps: SuggestedRemedy) -> None:
    """A remedy that leaves an anomaly would be refused on its page."""
    assert suggested_remedy(codes) is helps
    assert suggested_remedy(codes[::-1]) is helps


def test_the_remedy_of_two_anomalies_resolves_both() -> None:
    """For all pairs of codes."""
    for pair in combinations(SUGGESTED_REMEDIES, 2):
        chosen = suggested_remedy(pair)
        assert chosen is SuggestedRemedy.VOID or all(
            chosen in SUGGESTED_REMEDIES[code] for code in pair
        )
