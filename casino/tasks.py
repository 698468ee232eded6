"""Celery tasks of the installation."""

from celery import shared_task
from django.utils import timezone

from casino.access.notices import SEND_TASK, send_notices
from casino.backoffice.drafts.stored_drafts import delete_old_drafts
from casino.operations.verify_schema import NIGHTLY, verify_schema
from compliance.trail.actor import Actor


@shared_task(name=NIGHTLY)
def verify_schema_task() -> None:
    """Compares the schema with the code; fails with SchemaDiffers."""
    verify_schema(at=timezone.now(), actor=Actor("nightly comparison of the schema"))


@shared_task(name=SEND_TASK)
def send_access_notices_task() -> None:
    """Sends pending notices. Idempotent."""
    send_notices(at=timezone.now())


@shared_task(name="casino.delete_old_drafts")
def delete_old_drafts_task() -> None:
    """Deletes drafts that nobody has changed for thirty days."""
    delete_old_drafts(at=timezone.now())
