"""``manage.py resettle_round ROUND``: settles a round again by its rules."""

from payouts.management.four_eyes_command import FourEyesCommand
from payouts.settlement.resettle_round import resettle_round


class Command(FourEyesCommand):
    """Settles the stored round again by its rules."""

    help = (
        "Judges a round anew and pays what its rules give, in place of its latest settlement: so a"
        " void is undone. No password is asked for: whoever runs this vouches for both persons."
    )
    decide = staticmethod(resettle_round)
