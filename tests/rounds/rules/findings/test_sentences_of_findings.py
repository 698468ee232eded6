"""The sentence of each finding: values found and needed, worked out by hand."""

from typing import Any

import pytest

from rounds.rules.anomalies import ANOMALIES
from tests.rounds.rules.findings.finding_cases import CASES, findings, texts_of


@pytest.mark.parametrize(("code", "rules", "dealt", "words", "where"), CASES)
def test_a_finding_has_its_sentence_and_place(
    code: str, rules: str, dealt: tuple[Any, ...], words: str, where: dict[str, Any]
) -> None:
    """The only finding of its round."""
    text, *rest = dealt
    fields = rest.pop() if "id" not in rest[-1] else {}

    [finding] = findings(text, *rest, rules=rules, **fields)

    assert finding.code == code
    assert texts_of((finding,)) == [words]
    assert {"cards": finding.cards, "bets": finding.bets, "lacks": finding.lacks} == {
        "cards": (),
        "bets": (),
        "lacks": None,
        **where,
    }


def test_every_code_of_the_rules_has_a_case() -> None:
    """Two codes are found on arrival, by no rule; four have their own tests."""
    shown = {code for code, *_rest in CASES} | {
        "stake-limits",
        "shoe-gap",
        "too-many-copies",
        "bonus-unearned",
    }

    assert shown >= set(ANOMALIES) - {"late-arrival", "unsigned-source"}
