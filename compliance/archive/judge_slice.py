"""Judging the rounds of an archive again, by the checks of reconciliation.

Each round is replayed from its cards and its rule set. Its facts must match the digest of the
document that brought them, its verdict the replay, each settlement with its digest and each result
of a bet the rules or the decision of two persons, and all transfers the settlement.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import UUID

import duckdb
from django.utils import translation

from compliance.archive.archive_list import ArchiveList
from compliance.archive.archived_rounds import ArchivedRounds, open_slice
from compliance.archive.verify_archive import BadArchive
from compliance.trail.key_ranges import KeyRange, range_of
from payouts.reconciliation.checks.books import Books
from payouts.reconciliation.checks.content import compare_content
from payouts.reconciliation.checks.differences import CheckResult
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.checks.reversals import check_reversals, check_shortfalls
from payouts.reconciliation.checks.round_check import RoundCheck
from payouts.reconciliation.checks.rounds import check_unknown_rounds
from payouts.reconciliation.models import ReconcileDifference
from rounds.rule_inputs import RoundToJudge

_AT_ONCE: Final = 20_000
"""The most bets in memory, unless a single round has more."""
MOST_FINDINGS: Final = 100
"""The most findings of a slice that are stored as texts. All are counted."""


@dataclass
class JudgedSlice:
    """What was judged, and each thing that differs: where, what was found, what was needed."""

    judged: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    differences: int = 0

    def add(self, result: CheckResult) -> None:
        """Adds what the checks of reconciliation found."""
        self.differences += result.differing
        for difference in result.differences[: MOST_FINDINGS - len(self.findings)]:
            found = ReconcileDifference(**difference._asdict())
            self.findings.append(difference_message(found))

    def report(self, text: str) -> None:
        """Adds a finding that is no difference of a round."""
        self.differences += 1
        self.findings.append(text)


def judge_slice(folder: Path, archive: ArchiveList, number: int) -> JudgedSlice:
    """Judges the rounds of one slice again, from its files alone.

    A file that is not the one of the list is a finding, and so is one that cannot be read.
    """
    judged = JudgedSlice()
    with translation.override("en"):
        try:
            with open_slice(folder, archive, number) as rounds:
                for keys, _ids in rounds.batches(bets=_AT_ONCE):
                    _judge_batch(rounds, keys, judged)
        except (BadArchive, duckdb.Error) as error:
            judged.report(f"{archive.name}, slice {number}: {error}")
    return judged


def judge_round(rounds: ArchivedRounds, round_id: UUID) -> JudgedSlice:
    """Judges one of the rounds again. Findings are in the active language."""
    judged = JudgedSlice()
    _judge_batch(rounds, range_of(round_id), judged)
    return judged


def _judge_batch(rounds: ArchivedRounds, keys: KeyRange, judged: JudgedSlice) -> None:
    books, result = Books(keys, rounds.fetch), CheckResult()
    to_judge = rounds.rounds_to_judge(keys)
    _count(to_judge, books, judged)
    compare_content(to_judge, rounds.content(keys), result)
    for stored in to_judge:
        RoundCheck(stored, books, result).check()
    check_unknown_rounds(books, result)
    check_reversals(keys, result, rounds.fetch)
    check_shortfalls(keys, result, rounds.fetch)
    judged.add(result)


def _count(rounds: list[RoundToJudge], books: Books, judged: JudgedSlice) -> None:
    judged.judged += Counter(
        rounds=len(rounds),
        bets=sum([len(stored.dealt.bets) for stored in rounds]),
        settlements=sum(map(len, books.settlements.values())),
        transfers=sum(
            [entry.transfers for entries in books.entries.values() for entry in entries.values()]
        ),
    )
