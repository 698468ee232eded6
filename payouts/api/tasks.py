"""What Celery runs for the API."""

from celery import shared_task
from django.utils import timezone

from payouts.api.services.give_once import forget_answers
from payouts.api.services.spend_call import forget_rates


@shared_task(name="api.sweep")
def sweep_task() -> None:
    """Takes out answers that were kept for thirty days, and rates that are whole again."""
    while forget_answers(at=timezone.now()):
        pass
    forget_rates()
