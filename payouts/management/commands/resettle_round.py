"""``manage.py resettle_round ROUND``: settles a round again by its rules."""

from payouts.management.four_eyes_command import FourEyesCommand
from payouts.settlement.resettle_round import resettle_round


class Command(FourEyesCommand):
    """Settles the stored round again by its rules."""

    help = (
        "Evaluates a round again and settles it by its rules, in place of its latest settlement."
        " This also reverts a void. No password is required: the person who runs the command"
        " vouches for both persons."
    )
    decide = staticmethod(resettle_round)
