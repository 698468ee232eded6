"""``manage.py void_round ROUND``: cancels a round by a decision of two persons."""

from payouts.management.deciding import DecisionCommand
from payouts.services.void import void_round


class Command(DecisionCommand):
    """A further settlement in which every bet is void."""

    help = (
        "Cancels a round, settled or held: every bet is void, everything staked goes back, and what"
        " was paid is taken back. No password is asked for: whoever runs this vouches for both."
    )
    decide = staticmethod(void_round)
