"""A new key for a program, and a customer's own token."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.api.models import ApiKey, KeySecret
from payouts.api.scopes import OF_CUSTOMERS, Scope
from payouts.api.tokens import Token, new_handle, new_token
from rounds.models import Customer, Table
from rounds.services.table_fields import NotTaken, one_of

MOST_CALLS: Final = 100_000
"""A minute, that a key may be given."""
MOST_MINUTES: Final = 60
"""So long a customer's own token works at most."""
_LONGEST_OWNER: Final = 100
_CALLS_OF_A_CUSTOMER: Final = 60


class AskedKey(NamedTuple):
    """What a new key shall be: whose, what it may do, from where, how often, until when."""

    kind: str
    owner: str
    scopes: Sequence[str]
    networks: Sequence[str] = ()
    tables: Sequence[str] = ()
    calls_per_minute: int = 600
    expires_at: datetime | None = None


class IssuedKey(NamedTuple):
    """A key with the token that is told this once."""

    key: ApiKey
    token: str


def issue_key(*, asked: AskedKey, at: datetime, actor: Actor) -> IssuedKey:
    """Makes a key of a program. Raises NotTaken, which names the field."""
    key = ApiKey(
        kind=_checked_kind(asked.kind),
        owner=_checked_owner(asked.owner),
        scopes=_checked_scopes(asked.scopes),
        networks=[_checked_network(one) for one in asked.networks],
        tables=_checked_tables(asked.tables),
        calls_per_minute=_checked_rate(asked.calls_per_minute),
        expires_at=_checked_expiry(asked.expires_at, at=at),
    )
    return _issue(key, at=at, actor=actor)


def issue_customer_token(
    *, customer: str, minutes: int, issuer: ApiKey, at: datetime, actor: Actor
) -> IssuedKey:
    """Makes a key with which a customer sees his own rounds and disputes them. Raises NotTaken.

    It works for so many ``minutes``, from wherever the customer is, and no longer than the key that
    issued it; nor does it reach further.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        needed = _("a number of minutes from 1 to %(most)d") % {"most": MOST_MINUTES}
        raise NotTaken("minutes", str(minutes), needed)
    if not Customer.objects.filter(pseudonym=customer).exists():
        raise NotTaken("customer", customer, _("the pseudonym of a customer who has played"))
    key = ApiKey(
        kind=ApiKey.Kind.CUSTOMER,
        owner=issuer.owner,
        scopes=[str(one) for one in OF_CUSTOMERS],
        networks=[],
        tables=issuer.tables,
        customer=customer,
        calls_per_minute=_CALLS_OF_A_CUSTOMER,
        expires_at=min(filter(None, (at + timedelta(minutes=minutes), issuer.expires_at))),
        issued_by=issuer,
    )
    return _issue(key, at=at, actor=actor)


def add_secret(
    key: ApiKey, *, sequence: int, earlier_until: datetime, at: datetime, actor: Actor
) -> Token:
    """Gives a key one secret more, in the current transaction."""
    token = new_token(key.handle)
    KeySecret.objects.create(
        key=key,
        sequence=sequence,
        digest=token.digest,
        earlier_until=earlier_until,
        made_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    return token


def _issue(key: ApiKey, *, at: datetime, actor: Actor) -> IssuedKey:
    key.handle, key.issued_at = new_handle(), at
    key.actor, key.actor_user_id = actor.name, actor.user_id
    with transaction.atomic():
        key.save(force_insert=True)
        token = add_secret(key, sequence=1, earlier_until=at, at=at, actor=actor)
        entry = Entry("API_KEY_ISSUED", f"key:{key.handle}", _told(key))
        record_entries([entry], at=at, actor=actor)
    return IssuedKey(key, token.text)


def _told(key: ApiKey) -> dict[str, object]:
    return {
        "kind": str(key.kind),
        "owner": key.owner,
        "scopes": list(key.scopes),
        "networks": list(key.networks),
        "tables": list(key.tables),
        "customer": key.customer,
        "calls_per_minute": key.calls_per_minute,
        "expires_at": key.expires_at.isoformat() if key.expires_at else None,
        "issued_by": key.issued_by.handle if key.issued_by else None,
    }


def _checked_kind(kind: str) -> str:
    known = [one.value for one in ApiKey.Kind if one != ApiKey.Kind.CUSTOMER]
    if kind not in known:
        raise NotTaken("kind", kind, one_of(known))
    return kind


def _checked_owner(owner: str) -> str:
    text = owner.strip()
    if not (0 < len(text) <= _LONGEST_OWNER and text.isprintable()):
        raise NotTaken("owner", owner, _("1 to 100 characters on one line"))
    return text


def _checked_scopes(scopes: Collection[str]) -> list[str]:
    wanted = [one.value for one in Scope if one.value in scopes]
    if not wanted or len(wanted) != len(set(scopes)):
        found = ", ".join(scopes) or str(_("nothing"))
        raise NotTaken("scopes", found, one_of(Scope.values))
    return wanted


def _checked_network(text: str) -> str:
    try:
        return str(ip_network(text.strip()))
    except ValueError:
        needed = _("addresses or networks such as 192.0.2.7 or 198.51.100.0/24, no bits behind it")
        raise NotTaken("networks", text, needed) from None


def _checked_tables(codes: Sequence[str]) -> list[str]:
    known = set(Table.objects.filter(code__in=codes).values_list("code", flat=True))
    for code in codes:
        if code not in known:
            raise NotTaken("tables", code, _("codes of registered tables"))
    return sorted(known)


def _checked_rate(calls: int) -> int:
    if not 1 <= calls <= MOST_CALLS:
        needed = _("calls a minute, from 1 to %(most)d") % {"most": MOST_CALLS}
        raise NotTaken("calls_per_minute", str(calls), needed)
    return calls


def _checked_expiry(expires_at: datetime | None, *, at: datetime) -> datetime | None:
    if expires_at is not None and expires_at <= at:
        raise NotTaken("expires_at", expires_at.isoformat(), _("a time that is still to come"))
    return expires_at
