"""Findings have exactly the codes of the verdict.

Over the golden feeds, a feed of simulated faults for each game, and rounds with edited cards, plays
and amounts: every anomaly has a finding with the values found and needed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from django.utils import translation

from rounds.explanations.sentences import sentence
from rounds.feed import FeedError, parse_line
from rounds.replay import Judged, judge_lines
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round
from rounds.rules.findings.find_faults import find_faults
from rounds.rules.findings.held_round_fault import Finding
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import HELD, Verdict
from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES
from tests.rounds.properties.broken_documents import broken_line
from tests.rounds.properties.simulated import START, pool_of

GOLDEN = sorted(Path("tests/golden").glob("*.ndjson"))
FEEDS = [path for path in GOLDEN if "expected" not in path.name and "api" not in path.name]


def rounds_with_shoes(lines: list[bytes]) -> Iterator[tuple[Round, Shoe, Verdict]]:
    """Every judged round with its shoe before the round and its verdict."""
    shoes: dict[str, Shoe] = {}
    for line in lines:
        for judged in judge_lines([line]):
            if isinstance(judged, Judged):
                dealt = judged.dealt
                before = shoes.get(dealt.shoe or "", Shoe())
                verdict = RULE_SETS[dealt.rules].judge(dealt, before)
                shoes[dealt.shoe or ""] = before.after(dealt)
                yield dealt, before, verdict
        try:
            output = parse_line(line)
        except FeedError:
            continue
        if not isinstance(output, Round):
            shoes[output.shoe] = Shoe.opened(output)


def checked_findings(dealt: Round, shoe: Shoe, verdict: Verdict) -> tuple[Finding, ...]:
    """The findings of a round; asserts that they match its verdict and can be written out."""
    findings = find_faults(RULE_SETS[dealt.rules], dealt, shoe)
    expected = set(verdict.anomalies) if verdict.status == HELD else set()
    assert {finding.code for finding in findings} == expected, (dealt, findings)
    for finding in findings:
        assert {"found", "needed"} <= finding.values.keys()
        assert finding.values["found"] != finding.values["needed"]
        assert all(f"%({name})s" in finding.text for name in ("found", "needed"))
        assert all(0 <= number < len(dealt.cards) for number in finding.cards)
        assert all(0 <= number < len(dealt.bets) for number in finding.bets)
        assert "%(" not in sentence(finding.step)
    return findings


@pytest.mark.parametrize("feed", FEEDS, ids=lambda path: path.stem)
def test_findings_of_the_public_cases_match_their_verdicts(feed: Path) -> None:
    """Each public feed."""
    rounds = list(rounds_with_shoes(feed.read_bytes().splitlines()))

    with translation.override("en"):
        checked = [checked_findings(*round_) for round_ in rounds]

    assert any(checked)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_findings_of_simulated_faults_match_their_verdicts(game: str) -> None:
    """Four hundred rounds of each game, two in five with a fault."""
    order = Order([game], rounds=400, seed="findings", start=START, tables=3, faults=0.4)
    rounds = list(rounds_with_shoes([line.text.encode() for line in simulate(order)]))

    with translation.override("en"):
        checked = [checked_findings(*round_) for round_ in rounds]

    codes = {finding.code for findings in checked for finding in findings}
    assert len(codes) > 4, codes


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_findings_of_edited_rounds_match_their_verdicts(game: str) -> None:
    """Legal rounds after random edits of their documents, with an empty shoe."""
    rng = Random(f"findings {game}")
    faults: list[tuple[Finding, ...]] = []

    with translation.override("en"):
        for text in pool_of(game):
            for _ in range(8):
                try:
                    output = parse_line(broken_line(json.loads(text), rng))
                except FeedError:
                    continue
                if isinstance(output, Round):
                    verdict = RULE_SETS[output.rules].judge(output, Shoe())
                    faults.append(checked_findings(output, Shoe(), verdict))

    assert {finding.code for findings in faults for finding in findings} <= set(ANOMALIES)
    assert sum(map(bool, faults)) > 100
