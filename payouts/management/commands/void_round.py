"""``manage.py void_round ROUND``: voids a round by decision of two persons."""

from payouts.management.four_eyes_command import FourEyesCommand
from payouts.settlement.void_round import void_round


class Command(FourEyesCommand):
    """Voids every bet of a round."""

    help = (
        "Cancels a round, settled or held: every bet is void, everything staked goes back, and what"
        " was paid is taken back. No password is asked for: whoever runs this vouches for both."
    )
    decide = staticmethod(void_round)
