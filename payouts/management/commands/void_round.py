"""``manage.py void_round ROUND``: voids a round by decision of two persons."""

from payouts.management.four_eyes_command import FourEyesCommand
from payouts.settlement.void_round import void_round


class Command(FourEyesCommand):
    """Voids every bet of a round."""

    help = (
        "Voids a settled or held round: every bet is void, all stakes are refunded and all payouts"
        " reversed. No password is required: the person who runs the command vouches for both"
        " persons."
    )
    decide = staticmethod(void_round)
