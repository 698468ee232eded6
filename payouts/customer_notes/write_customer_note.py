"""Write a note about a customer."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from compliance.trail.steps import create_step, require_person
from payouts.customer_notes.models import CustomerNote
from rounds.models import Customer


@transaction.atomic
def write_customer_note(
    *, customer: Customer, text: str, at: datetime, actor: Actor
) -> CustomerNote:
    """Stores the note and its audit record, which has the text.

    Raises PersonRequired for a program.
    """
    require_person(actor)
    entry = Entry("CUSTOMER_NOTE_WRITTEN", f"customer:{customer.pseudonym}", {"text": text})
    return create_step(CustomerNote, entry, customer=customer, text=text, at=at, actor=actor)
