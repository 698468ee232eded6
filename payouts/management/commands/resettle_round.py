"""``manage.py resettle_round ROUND``: settles a round again by its rules."""

from payouts.management.deciding import DecisionCommand
from payouts.services.resettle import resettle_round


class Command(DecisionCommand):
    """A further settlement by what the rules say of the stored round."""

    help = (
        "Judges a round anew and pays what its rules give, in place of its latest settlement: so a"
        " void is undone. No password is asked for: whoever runs this vouches for both persons."
    )
    decide = staticmethod(resettle_round)
