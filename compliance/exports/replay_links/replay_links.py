"""Make, revoke and open replay links."""

from datetime import datetime
from enum import Enum
from typing import Final, NamedTuple

from django.db import transaction

from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.models import (
    LONGEST,
    ReplayLink,
    ReplayLinkOpening,
    ReplayLinkRevocation,
)
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from compliance.trail.steps import StepError, create_step, require_person
from rounds.models import Bet, Customer, Round

MOST_OPENINGS: Final = 1_000
"""Openings of one link: a stranger with a link cannot fill the database."""


class LinkStatus(Enum):
    """Whether a link opens."""

    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"
    EXHAUSTED = "exhausted"


class CustomerRequired(StepError):
    """Only the regulator gets a link without a customer."""


class NoBetOfCustomer(StepError):
    """The customer has no bet in the round."""


class AlreadyRevoked(StepError):
    """The link is revoked."""


class LinkEnded(Exception):
    """The link no longer opens."""

    def __init__(self, status: LinkStatus) -> None:
        super().__init__(f"found {status.value}; needed {LinkStatus.VALID.value}")
        self.status = status


class Recipient(NamedTuple):
    """Who gets a link, why, and until when; ``customer`` is whose bets are shown."""

    audience: Dossier.Audience
    name: str
    customer: Customer | None
    purpose: str
    expires_at: datetime


@transaction.atomic
def make_replay_link(
    *, row: Round, recipient: Recipient, token_digest: bytes, at: datetime, actor: Actor
) -> ReplayLink:
    """Stores the link and its audit record.

    Raises PersonRequired, CustomerRequired, NoBetOfCustomer; ValueError for an impossible end.
    """
    require_person(actor)
    customer = recipient.customer
    if customer is None and recipient.audience is not Dossier.Audience.REGULATOR:
        raise CustomerRequired(f"found none for {recipient.audience.value}; needed a customer")
    if customer is not None and not Bet.objects.filter(round=row, customer=customer).exists():
        raise NoBetOfCustomer(f"found {customer.pseudonym}; needed a customer of {row}")
    if not at < recipient.expires_at <= at + LONGEST:
        raise ValueError(f"found {recipient.expires_at}; needed an end within {LONGEST}")
    details = {
        "for": recipient.audience.value,
        "recipient": recipient.name,
        "customer": None if customer is None else customer.pseudonym,
        "purpose": recipient.purpose,
        "expires_at": recipient.expires_at.isoformat(),
        "token_digest": token_digest.hex(),
    }
    return create_step(
        ReplayLink,
        Entry("REPLAY_LINK_MADE", f"round:{row}", details),
        token_digest=token_digest,
        round=row,
        audience=recipient.audience,
        recipient=recipient.name,
        customer=customer,
        purpose=recipient.purpose,
        expires_at=recipient.expires_at,
        at=at,
        actor=actor,
    )


@transaction.atomic
def revoke_replay_link(
    *, link: ReplayLink, reason: str, at: datetime, actor: Actor
) -> ReplayLinkRevocation:
    """Ends the link at once. Raises PersonRequired, AlreadyRevoked."""
    require_person(actor)
    lock_names([_lock_of(link)])
    if ReplayLinkRevocation.objects.filter(link=link).exists():
        raise AlreadyRevoked(f"found link {link.pk}; needed one in force")
    details = {"recipient": link.recipient, "token_digest": link.token_digest.hex()}
    entry = Entry("REPLAY_LINK_REVOKED", f"round:{link.round}", {**details, "reason": reason})
    return create_step(ReplayLinkRevocation, entry, link=link, reason=reason, at=at, actor=actor)


@transaction.atomic
def open_replay_link(*, token_digest: bytes, at: datetime) -> ReplayLink:
    """The link of a token; its opening is recorded.

    Raises ReplayLink.DoesNotExist, LinkEnded.
    """
    links = ReplayLink.objects.select_related("round__table", "customer")
    link = links.get(token_digest=token_digest)
    lock_names([_lock_of(link)])
    openings = ReplayLinkOpening.objects.filter(link=link)
    is_revoked = ReplayLinkRevocation.objects.filter(link=link).exists()
    status = link_status(link, is_revoked=is_revoked, openings=openings.count(), at=at)
    if status is not LinkStatus.VALID:
        raise LinkEnded(status)
    ReplayLinkOpening.objects.create(link=link, at=at)
    return link


def link_status(link: ReplayLink, *, is_revoked: bool, openings: int, at: datetime) -> LinkStatus:
    """Whether a link opens, and if not, why."""
    if is_revoked:
        return LinkStatus.REVOKED
    if link.expires_at <= at:
        return LinkStatus.EXPIRED
    return LinkStatus.EXHAUSTED if openings >= MOST_OPENINGS else LinkStatus.VALID


def _lock_of(link: ReplayLink) -> str:
    return f"replay_link:{link.pk}"
