"""What Celery runs for the tables that are cut by month."""

from celery import shared_task
from django.utils import timezone

from compliance.trail.partitions import make_all_months, months_around


@shared_task(name="trail.make_months")
def make_months_task() -> None:
    """Makes the months that come next. Doubled or late, it does no harm: there are six ahead."""
    make_all_months(months_around(timezone.now().date()))
