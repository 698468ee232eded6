"""Replay links for tests, with their tokens."""

from datetime import datetime, timedelta

from casino.backoffice.replay_links.tokens import digest_of_token, new_link_token
from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.replay_links import Recipient, make_replay_link
from rounds.models import Customer, Round
from tests.casino_in_play import by_now
from tests.payouts.settlement.resettlement_scenarios import GIULIA


def linked(
    row: Round, customer: Customer | None, *, days: int = 14, at: datetime | None = None
) -> str:
    """The token of a link to the round: of the customer, or of the regulator without one."""
    made = at or by_now()
    to = Dossier.Audience
    audience = to.REGULATOR if customer is None else to.CUSTOMER
    recipient = Recipient(audience, "ticket 12", customer, "complaint", made + timedelta(days=days))
    token = new_link_token()
    digest = digest_of_token(token) or b""
    make_replay_link(row=row, recipient=recipient, token_digest=digest, at=made, actor=GIULIA)
    return token
