"""Checks of keys, certificates and the audit log."""

from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils import timezone

from casino.operations.checks.check_result import CheckResult, error, ok, warning
from casino.operations.expiries import next_expiries
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyStatus, status_of_key
from compliance.trail.log.key_file import InvalidKeyFile, witnessed_head
from compliance.trail.log.log_gaps import NotDeclared, declaration_of, heads_of
from compliance.trail.log.log_losses import CannotAppend, loss_of
from compliance.trail.log.log_status import LATE, current_log_status
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.sandbox import is_from_before_reset
from compliance.trail.witnesses.cosigned_heads import uncosigned_since, witness_statuses
from compliance.trail.witnesses.policy import policy_in_force

_SOON: Final = timedelta(days=30)
_DECIDERS: Final = 2


def people_can_sign() -> CheckResult:
    """Two persons have a signing key in force, which every decision needs."""
    at = timezone.now()
    keys = SigningKey.objects.prefetch_related("steps")
    people = {key.person_id for key in keys if status_of_key(key, at=at) is KeyStatus.IN_FORCE}
    found, needed = f"{len(people)} persons with a key in force", f"at least {_DECIDERS}"
    if len(people) < _DECIDERS:
        return error(found, needed, "add signing keys under Security; others approve them")
    return ok(found, needed)


def first_keys_are_named() -> CheckResult:
    """SIGNING_KEY_ROOTS names the first keys: else rows alone would make one."""
    roots = settings.SIGNING_KEY_ROOTS
    needed = "the ids of two keys"
    todo = "set SIGNING_KEY_ROOTS on every host (manage.py approve_first_signing_key prints them)"
    if not roots:
        return error("none: no signature counts", needed, todo)
    if "any" in roots:
        return error("any", needed, todo)
    return ok(f"{len(roots)} ids", needed)


def nothing_expires_soon() -> CheckResult:
    """Neither a key of a program or studio nor the certificate of the exports."""
    at = timezone.now()
    ends = next_expiries(at)
    needed = f"more than {_SOON.days} days"
    soon = {kind: end for kind, end in ends.items() if end - at <= _SOON}
    if soon:
        found = ", ".join(f"{kind} in {(end - at).days} days" for kind, end in soon.items())
        todo = "replace it (docs/securing.md, docs/access.md)"
        is_over = any(end <= at for end in soon.values())
        return error(found, needed, todo) if is_over else warning(found, needed, todo)
    return ok(f"{len(ends)} kinds that expire", needed)


def log_is_signed() -> CheckResult:
    """A worker adds new audit records to the signed log."""
    status, now = current_log_status(), timezone.now()
    needed = f"nothing older than {LATE.total_seconds() / 60:.0f} minutes waits"
    if status.is_late(now):
        assert status.waits_since is not None  # noqa: S101  what is late waits
        minutes = (now - status.waits_since).total_seconds() / 60
        todo = "start a worker whose LOG_KEY_FILE names the log key"
        return error(f"a record waits for {minutes:.0f} minutes", needed, todo)
    if status.head is None:
        todo = "start a worker whose LOG_KEY_FILE names the log key"
        return warning("no record is signed yet", needed, todo)
    return ok(f"{status.waiting} wait", needed)


def witnesses_cosign() -> CheckResult:
    """Each witness of LOG_POLICY_FILE cosigns the log, and no two histories can have a quorum."""
    policy, now = policy_in_force(), timezone.now()
    statuses = witness_statuses()
    if not statuses:
        return ok("none", "witnesses that cosign within minutes, or none")
    needed = "witnesses that cosign within minutes, more than half of them for a quorum"
    late = [status.witness.key.name for status in statuses if status.is_late(now)]
    if late:
        todo = "read why in the worker's log (docs/securing.md, Witnesses)"
        report = error if uncosigned_since(now) is not None else warning
        return report(f"{', '.join(late)} behind", needed, todo)
    if policy.may_split:
        todo = "let the quorum of the policy need more than half of each group"
        return warning("a quorum that two histories can have", needed, todo)
    return ok(f"{len(statuses)} that cosign", needed)


def log_key_is_readable() -> CheckResult:
    """Where LOG_KEY_FILE is set, which it is on workers only, its file can be read."""
    needed = "a file that this account can read, or none on other hosts"
    if not settings.LOG_KEY_FILE:
        return ok("none", needed)
    try:
        Path(settings.LOG_KEY_FILE).read_bytes()
    except OSError as failure:
        todo = "make it (docs/securing.md, The log key), or correct LOG_KEY_FILE"
        return error("no readable file", needed, todo, detail=str(failure))
    return ok("a readable file", needed)


def log_is_whole() -> CheckResult:
    """The log continues the head that was signed last: no restored database has lost records.

    Where LOG_KEY_FILE is set, by the head that is stored next to the key; else by what the worker
    with the key has found.
    """
    needed = "the head signed last, or a declaration of what is lost"
    try:
        loss = loss_of(_remembered_head())
    except (InvalidKeyFile, CannotAppend, NotInLog) as failure:
        todo = "restore the right database (docs/administrator/restore.md, Another log)"
        return error("another log", needed, todo, detail=str(failure))
    if loss is None:
        return ok("no record lost", needed)
    stored, witnessed = loss.stored.head.sequence, loss.witnessed.head.sequence
    found = f"{loss.records} records of {heads_of(stored, witnessed)} lost"
    try:
        declaration_of(loss)
    except NotDeclared as missing:
        todo = "restore a later state, or have two persons declare the loss on the page Log keys"
        return error(found, needed, f"{todo} (docs/administrator/restore.md)", detail=str(missing))
    return warning(f"{found} and declared", needed, "start a worker with the key of the log")


def _remembered_head() -> WitnessedHead | None:
    """The head next to the key of this host; None without one, or from before a reset."""
    if not settings.LOG_KEY_FILE:
        return None
    signed = witnessed_head(Path(settings.LOG_KEY_FILE))
    return None if signed is None or is_from_before_reset(signed.head) else signed
