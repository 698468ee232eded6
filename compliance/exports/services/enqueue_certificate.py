"""Requests the certificate of a rule set; a worker computes and signs it."""

from datetime import datetime

from django.db import transaction

from compliance.exports.models import CertificateRun
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.rules.rule_set import RuleSet


def enqueue_certificate(rules: RuleSet, *, at: datetime, actor: Actor) -> CertificateRun:
    """Enqueues a certificate; returns the unfinished run of the rule set, if any.

    The caller notifies a worker afterwards.
    """
    with transaction.atomic():
        lock_names(["certificates"])
        waiting = CertificateRun.objects.filter(finished_at=None, rules=rules.name).first()
        if waiting is not None:
            return waiting
        run = CertificateRun.objects.create(
            rules=rules.name, asked_at=at, actor=actor.name, actor_user_id=actor.user_id
        )
        details = {"rules_digest": rules.digest.hex()}
        entry = Entry("CERTIFICATE_ASKED", f"rules:{rules.name}", details)
        record_entries([entry], at=at, actor=actor)
        return run
