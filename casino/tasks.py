"""Celery tasks of the installation."""

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from casino.access.notices import SEND_TASK, send_notices
from casino.backoffice.drafts.stored_drafts import delete_old_drafts
from casino.backoffice.lists.background_files import MAKE_TASK, make_list_files
from casino.notifications.follow_conditions import follow_conditions
from casino.notifications.send_messages import send_messages
from compliance.notifications.notify import SEND_TASK as SEND_MESSAGES
from compliance.trail.actor import Actor
from payouts.integrity.verify_audit_trail import NIGHTLY as VERIFY_AUDIT_TRAIL
from payouts.integrity.verify_audit_trail import verify_audit_trail
from payouts.integrity.verify_release import NIGHTLY as VERIFY_RELEASE
from payouts.integrity.verify_release import verify_release
from payouts.integrity.verify_schema import NIGHTLY, verify_schema

FOLLOW_CONDITIONS: Final = "notifications.follow_conditions"


@shared_task(name=NIGHTLY)
def verify_schema_task() -> None:
    """Compares the schema with the code; fails with SchemaDiffers."""
    verify_schema(at=timezone.now(), actor=Actor("nightly comparison of the schema"))


@shared_task(name=VERIFY_RELEASE)
def verify_release_task() -> None:
    """Compares the installed files with the release; fails with ReleaseDiffers."""
    verify_release(at=timezone.now(), actor=Actor("nightly comparison of the release"))


@shared_task(name=VERIFY_AUDIT_TRAIL)
def verify_audit_trail_task() -> None:
    """Verifies the audit trail and all signatures; fails with AuditTrailFaulty."""
    verify_audit_trail(at=timezone.now())


@shared_task(name=SEND_TASK)
def send_access_notices_task() -> None:
    """Sends pending notices. Idempotent."""
    send_notices(at=timezone.now())


@shared_task(name=FOLLOW_CONDITIONS)
def follow_conditions_task() -> None:
    """Tells people of what awaits them, and ends what is over. Idempotent."""
    escalate_after = timedelta(hours=settings.ESCALATION_HOURS)
    follow_conditions(at=timezone.now(), escalate_after=escalate_after)


@shared_task(name=SEND_MESSAGES)
def send_messages_task() -> None:
    """Sends the messages that are due. Idempotent."""
    send_messages(now=timezone.now)


@shared_task(name="casino.delete_old_drafts")
def delete_old_drafts_task() -> None:
    """Deletes drafts that nobody has changed for thirty days."""
    delete_old_drafts(at=timezone.now())


@shared_task(name=MAKE_TASK)
def make_list_files_task() -> None:
    """Makes the list files that people asked for, and deletes expired ones. Idempotent."""
    make_list_files(now=timezone.now)
