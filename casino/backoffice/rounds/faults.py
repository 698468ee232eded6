"""Why a round is held: each error with the value found, the value expected and its place."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.backoffice.rounds.why import with_cards
from payouts.cases.suggested_remedies import SuggestedRemedy, suggested_remedy
from payouts.settlement.queries import RoundStatus, SettlementStatus
from rounds.explanations.sentences import sentence
from rounds.formatting import moment
from rounds.models import Round
from rounds.models.upload import FeedUpload
from rounds.queries import StoredRound, stored_rounds
from rounds.rules.anomalies import ANOMALIES, LATE_ARRIVAL, UNSIGNED_SOURCE
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Bet
from rounds.rules.findings.find_faults import find_faults
from rounds.rules.findings.held_round_fault import Finding

MOST_LINES: Final = 20
"""Errors shown per anomaly."""


class FaultBet(NamedTuple):
    """A bet with an error, and the number after which its page starts."""

    number: int
    reference: str
    player: str
    page_after: int


class FaultRow(NamedTuple):
    """An error as text."""

    code: str
    kind: str
    """The general description of the anomaly."""
    text: SafeString | str
    bets: Sequence[FaultBet]
    player: str
    """The customer whose hand was completed offline, if the error is there."""


class Faults(NamedTuple):
    """The errors of a held round, and the elements they mark."""

    lines: Sequence[FaultRow]
    further: int
    """Number of errors not listed."""
    cards: frozenset[int]
    """Positions in dealing order, from 1."""
    lacks: frozenset[str]
    """Positions of the table where a card is missing."""
    bets: Mapping[int, Sequence[Finding]]
    """The errors of each bet, by number."""
    suggestion: SuggestedRemedy

    def of_bet(self, number: int) -> list[SafeString]:
        """The errors of a bet, as text."""
        return [_message(fault) for fault in self.bets.get(number, ())]


def faults_of(row: Round, status: SettlementStatus) -> Faults | None:
    """The errors of a held round; None for other rounds.

    The rules under which the round arrived are applied again. An anomaly found elsewhere (on
    arrival, or by other rules) shows its general description.
    """
    if status.status is not RoundStatus.HELD:
        return None
    [stored] = stored_rounds([row.id])
    findings = [finding for finding in _findings(stored) if finding.code in status.anomalies]
    lines: list[FaultRow] = []
    further = 0
    for code in status.anomalies:
        own = [finding for finding in findings if finding.code == code]
        lines += [_line(finding, stored.dealt.bets) for finding in own[:MOST_LINES]]
        further += max(0, len(own) - MOST_LINES)
        if not own:
            lines.append(FaultRow(code, "", _arrival_message(code, row), (), ""))
    return Faults(
        lines,
        further,
        frozenset(number + 1 for finding in findings for number in finding.cards),
        frozenset(finding.lacks for finding in findings if finding.lacks is not None),
        _by_bet(findings),
        suggested_remedy(status.anomalies),
    )


def _arrival_message(code: str, row: Round) -> str:
    """The error found on arrival, with its values if known."""
    if code == LATE_ARRIVAL:
        message = _(
            "The round opened on %(opened)s and arrived on %(arrived)s. The maximum delay"
            " is %(days)s days."
        )
        times = {"opened": moment(row.opened_at), "arrived": moment(row.received_at)}
        return message % {**times, "days": settings.MAX_LATENESS_DAYS}
    upload = FeedUpload.objects.filter(source=row.source, delivery=None).first()
    if code == UNSIGNED_SOURCE and upload is not None:
        message = _(
            "%(who)s uploaded the round on %(when)s without a studio signature. Another"
            " person must approve its release."
        )
        return message % {"who": upload.actor, "when": moment(upload.uploaded_at)}
    return _(ANOMALIES[code])


def _findings(stored: StoredRound) -> Sequence[Finding]:
    rules = RULE_SETS.get(stored.dealt.rules)
    if rules is None or rules.digest != stored.rules_digest:
        return ()
    return find_faults(rules, stored.dealt, stored.shoe_before, stored.limits)


def _line(finding: Finding, bets: Sequence[Bet]) -> FaultRow:
    fault_bets = [
        FaultBet(number, bets[number].id, bets[number].player, number - 1)
        for number in finding.bets[:MOST_LINES]
    ]
    return FaultRow(
        finding.code,
        _(ANOMALIES[finding.code]),
        _message(finding),
        fault_bets,
        finding.player or "",
    )


def _message(finding: Finding) -> SafeString:
    return with_cards(sentence(finding.step))


def _by_bet(findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    marked: dict[int, list[Finding]] = {}
    for finding in findings:
        for number in finding.bets:
            marked.setdefault(number, []).append(finding)
    return marked
