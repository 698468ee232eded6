"""A casino with rows in every audited table, written by its services."""

from datetime import timedelta
from typing import Final

from django.contrib.auth.models import Group, User
from django.db import transaction

from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries
from payouts.cases.open_case import add_evidence
from payouts.cases.remedies import Remedy
from payouts.comments.write_comment import write_comment
from payouts.evidence import File
from payouts.reconciliation.models import ReconcileDifference
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.work import WorkId
from rounds.models import ConflictingDocument, Customer, Round, Table
from rounds.services.suspend_table import StatedReason, suspend_table
from tests.casino_in_play import NOW, ingest, settle
from tests.compliance.storage.filled_tables import fill_disputes, fill_other_tables
from tests.compliance.trail.logs import KEY, cosign_last_head
from tests.compliance.trail.lost_logs import declare, find_loss, lose, signing_persons
from tests.documents import baccarat_round, held_baccarat_round, lines, shoe
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD, credited, decided
from tests.payouts.gaming_days.day_scenarios import close
from tests.payouts.reconciliation.five_games import play
from tests.payouts.settlement.resettlement_scenarios import GIULIA, void
from tests.payouts.stuck_work.stuck_scenarios import person
from tests.signers import give_earlier_roles, signing

_ROUNDS: Final = 40
_DAY: Final = NOW.date()
_LATER: Final = NOW + timedelta(hours=3)


def play_everything() -> None:
    """Rounds of all games with every kind of decision; then a closed day.

    On the next day: a settled round, a held one settled by a ruling, a waiting one, an assigned
    conflict, a quarantined document, evidence, a correction of the closed day, exports, enough
    records for a stored node of the log, a gap in it, and signatures of a witness on both sides.
    """
    play(_ROUNDS)
    close(_DAY - timedelta(days=1), at=_LATER)
    other = baccarat_round("r-1", session="M000000000000009")
    ingest(lines(shoe("s-1"), baccarat_round("r-1"), other, held_baccarat_round("r-2"), "{broken"))
    settle(at=_LATER)
    decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)
    of_closed_day = Round.objects.filter(booked_on__lt=_DAY, settlements__sequence=1)
    corrected = of_closed_day.exclude(settlements__sequence=2).earliest("id")
    void(corrected.reference, after=1, at=_LATER)
    ingest(lines(baccarat_round("r-3")))
    fill_disputes()
    _take_in_hand(Table.objects.get(code="bac-1"))
    fill_other_tables()
    record_entries([Entry("TESTED", f"test:{n}", {}) for n in range(300)], at=NOW, actor=GIULIA)
    append_to_log(KEY, now=_LATER)
    cosign_last_head()
    with transaction.atomic():
        _lose_records()


def _lose_records() -> None:
    """A restored database has lost three records; two persons declared that."""
    proposer, confirmer = signing("Livia Neri", 811), signing("Ugo Sala", 812)
    for actor, role in ((proposer, "compliance"), (confirmer, "administrator")):
        account = User.objects.create(pk=actor.user_id, username=actor.name)
        account.groups.add(Group.objects.get(name=role))
    signing_persons(proposer, confirmer)
    witnessed = lose(3, after=[2])
    declare(find_loss(witnessed), by=proposer, confirmed_by=confirmer)
    append_to_log(KEY, now=_LATER, witnessed=witnessed)
    cosign_last_head()


def _take_in_hand(table: Table) -> None:
    supervisor = person("supervisor")
    give_earlier_roles(supervisor.pk)
    reason = StatedReason("equipment", "attrezzatura", "equipment")
    suspend_table(table_id=table.pk, reason=reason, note="", seen=0, at=NOW, actor=GIULIA)
    conflict = WorkId(WorkKind.CONFLICT, ConflictingDocument.objects.get().pk)
    actor = actor_of(supervisor)
    assign_stuck_work(work=conflict, owner=supervisor, seen=0, at=NOW, actor=actor)
    customer = Customer.objects.get(pseudonym="p-1")
    write_comment(about=customer, text="Called.", mentions=[], at=NOW, actor=actor)
    case = credited("p-1", 100)
    add_evidence(case=case, file=File("report.pdf", b"%PDF-1.7"), at=NOW, actor=GIULIA)
    part = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=actor).parts.all()[0]
    ReconcileDifference.objects.create(part=part, kind="zero_sum", found={"cents": 1})
