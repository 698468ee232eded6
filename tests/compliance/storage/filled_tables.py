"""A row in every append-only table, for tests."""

import json
from datetime import date, timedelta
from uuid import UUID

from django.contrib.auth.models import Group, User

from casino.access.models import (
    AccessDecision,
    AccessEvent,
    AccessRequest,
    DirectoryMembership,
    EarlierRoles,
)
from casino.integrations.add_webhook import NewWebhook, add_webhook
from casino.integrations.change_webhook import change_webhook, remove_webhook
from casino.integrations.models import ApiKey, DeadLetter
from casino.integrations.revoke_key import revoke_key
from casino.integrations.rotate_key import rotate_key
from compliance.certification.services.set_weights import approve_weights, set_weights
from compliance.exports.models import (
    Bundle,
    Dossier,
    DossierSignature,
    RuleCertificate,
    SumTree,
)
from compliance.exports.replay_links.replay_links import (
    Recipient,
    make_replay_link,
    open_replay_link,
    revoke_replay_link,
)
from compliance.exports.services.bundle_steps import sign_bundle
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.services.set_tax_rate import set_tax_rate
from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook
from compliance.retention.legal_holds import lift_hold, place_hold
from compliance.signatures.manage_keys import approve_key
from compliance.signatures.models import EarlierDecision
from compliance.signatures.sign_decision import record_decision
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries
from payouts.cases.halt_cases import halt_cases, open_halts, resume_cases
from payouts.cases.models import Case, Reason
from payouts.cases.open_case import add_evidence
from payouts.cases.remedies import Remedy
from payouts.comments.write_comment import write_comment
from payouts.disputes.calendar import Term
from payouts.disputes.models import VerdictProposal
from payouts.disputes.propose_verdict import ProposedVerdict, propose_verdict
from payouts.disputes.remind_disputes import remind_disputes
from payouts.disputes.set_dispute_term import set_dispute_term
from payouts.disputes.status import State
from payouts.evidence import File
from payouts.gaming_days.models import DayClosing
from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import pay_over
from payouts.reconciliation.models import ReconcileDifference
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.work import WorkId
from rounds.models import ClosedDay, ConflictingDocument, Customer, Round
from rounds.rules.ruling import Ruling
from rounds.services.add_round_video import NewVideo, add_round_video
from rounds.services.suspend_table import StatedReason, suspend_table
from tests.attacks.integrity.stops import resume, stopped
from tests.casino.api.api_client import issued
from tests.casino_in_play import NOW, ingest, limit_stakes, open_table, settle
from tests.compliance.archive.carried_month import carry_an_old_month
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT
from tests.compliance.trail.logs import KEY, cosign_last_head
from tests.compliance.trail.lost_logs import give_role
from tests.compliance.trail.sandbox_mark import mark_as_sandbox
from tests.documents import baccarat_round, held_baccarat_round, lines, shoe
from tests.payouts.cases.case_scenarios import credited, decided
from tests.payouts.disputes.dispute_scenarios import CITED, PAOLO, credit, disputed, take, uphold
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.payouts.stuck_work.stuck_scenarios import person
from tests.signers import give_accounts, registered, signing
from tests.studio_signatures import Signer, ingest_signed, require_signatures_at

_CASE = {"kind": "malfunction", "needs_regulator": False, "opened_at": NOW, "actor_user_id": 0}


def fill_every_table() -> None:
    """Settled, held, conflicting and invalid documents, cases, disputes, exports and closings.

    The winner of one round lost a cent afterwards, so a reconciliation has a difference.
    """
    mark_as_sandbox()
    table = open_table()
    limit_stakes(table, player=(1, 100_000))
    other = baccarat_round("r-1", session="M000000000000009")
    documents = (shoe("s-1"), baccarat_round("r-1"), other, held_baccarat_round("r-2"), "{broken")
    ingest(lines(*documents))
    settle()
    write_comment(about=Customer.objects.all()[0], text="x", mentions=[], at=NOW, actor=GIULIA)
    winner = Account.objects.get(kind="customer")
    actor = Actor("wallet")
    part = begin_reconciliation(scope=EVERYTHING, at=NOW, actor=actor).parts.all()[0]
    ReconcileDifference.objects.create(part=part, kind="zero_sum", found={"cents": 1})
    day = ClosedDay.objects.create(day=date(2026, 1, 1)).day
    closed = {"day": day, "closed_at": NOW, "actor": "night", "totals": {}, "digest": b""}
    DayClosing.objects.create(run=part.run, **closed)
    pay_over(reference="w-1", customer_id=winner.customer_id or 0, cents=1, at=NOW, actor=actor)
    conflict = WorkId(WorkKind.CONFLICT, ConflictingDocument.objects.get().pk)
    reason = StatedReason("equipment", "attrezzatura", "equipment")
    suspend_table(table_id=table.pk, reason=reason, note="", seen=0, at=NOW, actor=GIULIA)
    supervisor = person("supervisor")
    assign_stuck_work(work=conflict, owner=supervisor, seen=0, at=NOW, actor=actor_of(supervisor))
    decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=Ruling(refunded=frozenset({0})))
    case = credited("p-1", 100)
    add_evidence(case=case, file=File("report.pdf", b"%PDF-1.7"), at=NOW, actor=GIULIA)
    entries = [Entry("TESTED", f"test:{number}", {}) for number in range(300)]
    record_entries(entries, at=NOW, actor=GIULIA)  # with the others enough for a stored node
    append_to_log(KEY, now=NOW)
    cosign_last_head()
    fill_disputes()
    fill_other_tables()


def fill_replay_link() -> None:
    """A link to r-1, opened once and revoked, and the reference of its video."""
    row, digest = Round.objects.earliest("pk"), bytes(32)
    regulator = Dossier.Audience.REGULATOR
    recipient = Recipient(regulator, "ADM", None, "inspection", NOW + timedelta(days=1))
    link = make_replay_link(row=row, recipient=recipient, token_digest=digest, at=NOW, actor=GIULIA)
    open_replay_link(token_digest=digest, at=NOW)
    add_round_video(row=row, video=NewVideo("s3/r-1", 0, digest), at=NOW, actor=GIULIA)
    revoke_replay_link(link=link, reason="read", at=NOW, actor=GIULIA)


def fill_disputes() -> None:
    """An upheld dispute about r-1, with evidence, a term and a reminder."""
    dispute = disputed(files=[File("screen.png", b"\x89PNG\r\n\x1a\n")], is_shared=True)
    remind_disputes(at=NOW + timedelta(days=9), actor=PAOLO)
    term = Term(3, are_working_days=True)
    set_dispute_term(state=State.OPENED, term=term, at=NOW, actor=PAOLO)
    take(dispute)
    proposed = ProposedVerdict(VerdictProposal.Verdict.UPHELD, "Player won.", CITED)
    propose_verdict(dispute_id=dispute.pk, seen=2, proposed=proposed, at=NOW, actor=GIULIA)
    uphold(dispute, credit())
    issued, _is_new = issue_dossier(dispute, Dossier.Audience.CUSTOMER, at=NOW, actor=GIULIA)
    DossierSignature.objects.create(dossier=issued, signature=b"1", key_id="2", signed_at=NOW)


def fill_other_tables() -> None:
    """A legal hold, a key, rows of exports, and the sums of a detached month."""
    carry_an_old_month()
    fill_signing_keys()
    resumers = make_resumers()
    fill_case_halt(Case.objects.earliest("pk"), resumers)
    fill_stop(resumers)
    held = place_hold(
        first_day=date(2026, 1, 1),
        last_day=None,
        about="p-1",
        reference="order 1",
        at=NOW,
        actor=GIULIA,
    )
    lift_hold(hold_id=held.pk, reason="settled", at=NOW, actor=LORENZO)
    key = issued(at=NOW).key
    rotate_key(key_id=key.pk, seen=1, overlap=timedelta(days=1), at=NOW, actor=GIULIA)
    fill_webhooks(key)
    revoke_key(key_id=key.pk, reason="lost", at=NOW, actor=GIULIA)
    fill_signatures()
    fill_exports()
    fill_replay_link()
    fill_monitor()
    fill_access()
    give_accounts()


def fill_signing_keys() -> None:
    """A key that another person approved, and a decision from before signatures."""
    marco = registered("Marco", 2, at=NOW)
    approve_key(key_id=marco.row.id, note="seen", at=NOW, actor=GIULIA)
    EarlierDecision.objects.create(record_id=UUID(int=1))
    EarlierRoles.objects.create(person_id=700, roles=["supervisor"], at=NOW)


def make_resumers() -> list[Actor]:
    """Two persons who may resume what has stopped."""
    persons = []
    for number, role in enumerate(("compliance", "supervisor")):
        actor = signing(("Rita Sala", "Nino Riva")[number], 821 + number)
        account = User.objects.create(pk=actor.user_id, username=actor.name)
        account.groups.add(Group.objects.get(name=role))
        give_role(actor, role)
        persons.append(actor)
    return persons


def fill_case_halt(case: Case, resumers: list[Actor]) -> None:
    """A halt that two persons resumed."""
    halt_cases(case, error="test", at=NOW)
    for seen, actor in enumerate(resumers):
        [halt] = open_halts()
        resume_cases(halt_id=halt.pk, seen=seen, note="looked", at=NOW, actor=actor)


def fill_stop(resumers: list[Actor]) -> None:
    """A settlement stop that two persons resumed."""
    stopped()
    for seen, actor in enumerate(resumers):
        resume(by=actor, seen=seen)


def fill_signatures() -> None:
    """A table that requires signatures, and a round that its studio signed."""
    table = open_table("bac-9")
    require_signatures_at(table.code, at=NOW)
    Signer().registered(table.code)
    body = lines(baccarat_round("r-signed", table=table.code))[0]
    signature = Signer().signature_lines(body + b"\n")
    ingest_signed(body + b"\n", signature)


def fill_access() -> None:
    """A reset of a phone by two administrators, and a role that a directory asks for."""
    clerk, ada, bruno = (User.objects.create_user(name) for name in ("clerk", "ada", "bruno"))
    request = AccessRequest.objects.create(
        kind="factors", person=clerk, reason="lost", requested_by=ada, requested_at=NOW
    )
    decision = AccessDecision.objects.create(
        request=request, is_approved=True, decided_by=bruno, decided_at=NOW
    )
    record_decision(request.entry, at=NOW, actor=signing("ada", ada.pk))
    record_decision(decision.entry, at=NOW, actor=signing("bruno", bruno.pk))
    AccessEvent.objects.create(person=clerk, kind="factors_reset", at=NOW)
    wanted = {"role": "auditor", "is_member": True, "at": NOW, "actor": "Entra ID"}
    DirectoryMembership.objects.create(person=clerk, **wanted)


def fill_webhooks(key: ApiKey) -> None:
    """A changed and removed webhook with a failed delivery."""
    new_webhook = NewWebhook("https://studio.example/hook")
    webhook = add_webhook(key=key, new=new_webhook, at=NOW, actor=GIULIA).webhook
    letter = {"number": 1, "event_id": webhook.pk, "leaf": 0, "type": "round.settled"}
    tried = {"attempts": 8, "status": 500, "error": "answered 500", "first_tried_at": NOW}
    DeadLetter.objects.create(webhook=webhook, died_at=NOW, **letter, **tried)
    change_webhook(webhook=webhook, description="corrections", at=NOW, actor=GIULIA)
    remove_webhook(webhook=webhook, at=NOW, actor=GIULIA)


def fill_monitor() -> None:
    """An evaluation with an alarm and its case."""
    watch = Watch.objects.create(what="return", rules="baccarat/1", kind="player")
    look = Look.objects.create(last_day=NOW.date(), at=NOW, actor="table monitor")
    WatchLook.objects.create(look=look, watch=watch, rounds=1, in_alarm=True)
    case = Case.objects.create(reason=Reason.objects.get(code="drift"), **_CASE)
    WatchAlarm.objects.create(look=look, watch=watch, case=case)


def fill_exports() -> None:
    """A bundle with a signature, a sum tree, a tax rate and weights."""
    day = NOW.date()
    Bundle.objects.create(number=1, day=day, manifest_digest=bytes(32), size=1, built_at=NOW)
    certified = {"rules_digest": b"1", "digest": b"2", "signature": b"3", "issued_at": NOW}
    RuleCertificate.objects.create(rules="baccarat/1", content="{}", **certified)
    node = bytes(64)
    tree = {"secret": bytes(32), "leaves": 1, "root": node, "branches": node}
    SumTree.objects.create(day=day, game="baccarat", **tree)
    sign_bundle(number=1, seen=0, at=NOW, actor=GIULIA)
    set_tax_rate(game="", in_force_from=day, per_million=1, at=NOW, actor=GIULIA)
    content = json.dumps(MULTIPLIER_DOCUMENT)
    weights = set_weights(content=content, in_force_from=day, reason="test", at=NOW, actor=GIULIA)
    approve_weights(weights_id=weights.pk, at=NOW, actor=LORENZO)
