"""A small casino in which somebody plants changes, and what each change must be found as."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from compliance.signatures.models import DecisionSignature
from compliance.trail.actor import Actor
from compliance.trail.batches import batch_of
from compliance.trail.encoding import leaf_of
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.models import AuditRecord
from payouts.cases.remedies import Remedy
from payouts.recheck.recheck_share import Step, new_steps, recheck_share
from payouts.recheck.verify_share import Findings, verify_batch_of, verify_decision
from rounds.rules.ruling import Ruling
from tests.attacks.integrity.stops import two_rounds_wait
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import decided
from tests.payouts.reconciliation.five_games import tamper
from tests.studio_signatures import Signer, ingest_signed, require_signatures_at

_ALL_STEPS: Final = 8
_OF_R0: Final = "round_id = (SELECT round_id FROM rounds_roundname WHERE reference = 'r-0')"
_IS_R0: Final = "id = (SELECT round_id FROM rounds_roundname WHERE reference = 'r-0')"
_RECORD: Final = "SELECT id FROM trail_auditrecord WHERE action = '{}' ORDER BY id LIMIT 1"


class Planted(NamedTuple):
    """A change of a superuser with disabled triggers, and a part of what is to be found."""

    change: str | Callable[[], None]
    found: str

    def plant(self) -> None:
        """Makes the change."""
        if callable(self.change):
            self.change()
        else:
            tamper(self.change)


def _change_record_and_leaf() -> None:
    """The text of a record, with the digest that belongs to it."""
    record = AuditRecord.objects.get(subject="round:r-0", action="ROUND_SETTLED")
    details = {**record.details, "paid": "99.00"}
    leaf = leaf_of(
        at=record.at,
        actor=Actor(record.actor, record.actor_user_id),
        action=record.action,
        subject=record.subject,
        details=details,
    )
    tamper(
        "UPDATE trail_auditrecord SET details = jsonb_set(details::jsonb, '{paid}', '\"99.00\"'),"
        " leaf = %(leaf)s WHERE id = %(id)s",
        leaf=leaf,
        id=record.id,
    )


PLANTED: Final = {
    "card": Planted(
        f"UPDATE rounds_round SET cards[1] = split_part(cards[1], ' ', 1) || ' 2C' WHERE {_IS_R0}",
        "Facts of the round, round r-0: found digest",
    ),
    "stake": Planted(
        f"UPDATE rounds_bet SET stake_cents = stake_cents + 100 WHERE {_OF_R0} AND number = 0",
        "Settlement, round r-0 · settlement 1: found staked 22.00",
    ),
    "payout": Planted(
        "UPDATE payouts_betsettlement SET payout_cents = payout_cents + 100"
        f" WHERE {_OF_R0} AND bet_number = 0",
        "Payout of a bet, round r-0 · settlement 1 · bet 0: found paid 21.00; needed paid 20.00",
    ),
    "ledger": Planted(
        "UPDATE payouts_transfer SET amount_cents = amount_cents + 100 WHERE origin ="
        " (SELECT round_id FROM rounds_roundname WHERE reference = 'r-0') AND entry = 1"
        " AND line = 0",
        "Transfer, round r-0 · entry 1",
    ),
    "settlement": Planted(
        f"UPDATE payouts_settlement SET payout_cents = payout_cents + 100 WHERE {_OF_R0}",
        "Settlement, round r-0 · settlement 1: found paid 26.00; needed paid 25.00",
    ),
    "settlement that is gone": Planted(
        f"DELETE FROM payouts_settlement WHERE {_OF_R0}",
        "Missing settlement, round r-0",
    ),
    "rule set": Planted(
        f"UPDATE rounds_round SET rules_digest = sha256('') WHERE {_IS_R0}",
        "Missing rule set, round r-0",
    ),
    "round that is gone": Planted(
        f"DELETE FROM rounds_round WHERE {_IS_R0}",
        "Rows of an unknown round",
    ),
    "work of a case": Planted(
        "UPDATE payouts_casework SET sequence = 1 WHERE sequence = 2",
        "Signatures of a decision, round r-x · settlement 2",
    ),
    "approval of a case": Planted(
        "UPDATE payouts_casestep SET note = 'Never seen.' WHERE action = 'approved'",
        "Signatures of a decision, case",
    ),
    "signature of a person": Planted(
        "UPDATE signatures_decisionsignature SET signature = signature || '\\x00'::bytea"
        f" WHERE record_id = ({_RECORD.format('CASE_APPROVED')})",
        "CASE_APPROVED of case:",
    ),
    "signature of the studio": Planted(
        "UPDATE rounds_signedbatch SET signature = sha512('')",
        "round r-signed: found signed batch S-1 without a valid signature",
    ),
    "signed documents": Planted(
        "UPDATE rounds_signedchunk SET content = '\\x00'",
        "round r-signed: found signed batch S-1 without a valid signature",
    ),
    "text of a record": Planted(
        "UPDATE trail_auditrecord SET actor = 'Somebody' WHERE subject = 'round:r-0'"
        " AND action = 'ROUND_RECEIVED'",
        "the record does not match its digest",
    ),
    "text of a record about access": Planted(
        "UPDATE trail_auditrecord SET actor = 'Somebody' WHERE action = 'ROLES_GIVEN_ON_HOST'",
        "Audit record, batch",
    ),
    "text of a record and its digest": Planted(
        _change_record_and_leaf,
        "leaves 0 to 255 of the log: the root of the log does not match the signed root",
    ),
    "head of the log": Planted(
        "UPDATE trail_treehead SET signature = sha512('')",
        "the signature of the head is invalid",
    ),
    "place in the log": Planted(
        "UPDATE trail_loggedbatch SET first_leaf = first_leaf + 1 WHERE batch_id ="
        f" (({_RECORD.format('ROUND_SETTLED')})::text::varchar(30) || '000000')::uuid",
        "leaves 0 to 255 of the log",
    ),
}


def play() -> None:
    """Two rounds, one of them refunded by two persons, a signed one; the log; two rounds wait."""
    open_table()
    ingest(lines(baccarat_round("r-0"), baccarat_round("r-x")))
    settle()
    decided("refund", "r-x", remedy=Remedy.REFUND_BETS, ruling=Ruling(refunded=frozenset({0})))
    require_signatures_at(open_table("bac-9").code, at=NOW)
    Signer().registered("bac-9")
    body = lines(baccarat_round("r-signed", table="bac-9"))[0] + b"\n"
    ingest_signed(body, Signer().signature_lines(body))
    settle()
    append_to_log(KEY, now=NOW)
    two_rounds_wait()


def verify_share() -> None:
    """Each kind of step of the workers once, and one for each batch and decision to be drawn.

    So few rounds are all verified with the one that is drawn. Whatever a step draws by chance, no
    later pass finds more.
    """
    records = AuditRecord.objects.order_by("id").values_list("id", flat=True)
    batches = {batch_of(record): record for record in records}
    decisions = DecisionSignature.objects.values_list("record_id", flat=True)
    drawn = [
        *(partial(verify_batch_of, record) for record in batches.values()),
        *(partial(verify_decision, record) for record in decisions),
    ]
    for step in (*dict.fromkeys(islice(new_steps(), _ALL_STEPS)), *map(_as_step, drawn)):
        recheck_share(now=lambda: NOW, seconds=0, recent=timedelta(hours=6), steps=iter([step]))


def _as_step(verify: Callable[[], Findings]) -> Step:
    return lambda _at, _recent: verify()
