"""Issuing API keys for programs, and tokens of single customers."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.integrations.models import ApiKey, KeySecret
from casino.integrations.scopes import OF_CUSTOMERS, Scope
from casino.integrations.tokens import Token, new_handle, new_token
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.field_errors import InvalidField, one_of
from rounds.models import Customer, Table

MOST_CALLS: Final = 100_000
"""The highest rate limit of a key, in calls a minute."""
MOST_MINUTES: Final = 60
"""The longest lifetime of a customer's token."""
_LONGEST_OWNER: Final = 100
_CALLS_OF_A_CUSTOMER: Final = 60


class NewKey(NamedTuple):
    """The parameters of a key."""

    kind: str
    owner: str
    scopes: Sequence[str]
    networks: Sequence[str] = ()
    tables: Sequence[str] = ()
    calls_per_minute: int = 600
    expires_at: datetime | None = None


class IssuedKey(NamedTuple):
    """A key with its token, which is shown once."""

    key: ApiKey
    token: str


def issue_key(*, new: NewKey, at: datetime, actor: Actor) -> IssuedKey:
    """Issues a key for a program. Raises InvalidField, which names the field."""
    _check_kind_fits_scopes(new)
    key = ApiKey(
        kind=_checked_kind(new.kind),
        owner=_checked_owner(new.owner),
        scopes=_checked_scopes(new.scopes),
        networks=[_checked_network(network) for network in new.networks],
        tables=_checked_tables(new.tables),
        calls_per_minute=_checked_rate(new.calls_per_minute),
        expires_at=_checked_expiry(new.expires_at, at=at),
    )
    return _issue(key, at=at, actor=actor)


def issue_customer_token(
    *, customer: str, minutes: int, issuer: ApiKey, at: datetime, actor: Actor
) -> IssuedKey:
    """Issues a key with which a customer reads and disputes their own rounds. Raises InvalidField.

    It expires after so many ``minutes``, and not later than the issuing key, whose tables it has.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        needed = _("a number of minutes from 1 to %(most)d") % {"most": MOST_MINUTES}
        raise InvalidField("minutes", str(minutes), needed)
    if not Customer.objects.filter(pseudonym=customer).exists():
        raise InvalidField("customer", customer, _("the pseudonym of a customer with bets"))
    key = ApiKey(
        kind=ApiKey.Kind.CUSTOMER,
        owner=issuer.owner,
        scopes=[str(scope) for scope in OF_CUSTOMERS],
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
    """Adds a secret to a key, in the current transaction."""
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
        entry = Entry("API_KEY_ISSUED", f"key:{key.handle}", _details(key))
        record_entries([entry], at=at, actor=actor)
    return IssuedKey(key, token.text)


def _details(key: ApiKey) -> dict[str, object]:
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
    known = [kind.value for kind in ApiKey.Kind if kind != ApiKey.Kind.CUSTOMER]
    if kind not in known:
        raise InvalidField("kind", kind, one_of(known))
    return kind


def _check_kind_fits_scopes(new: NewKey) -> None:
    """A directory's key has the scope of directories, no other and no tables; others lack it."""
    scope = Scope.DIRECTORY_MANAGE.value
    if new.kind != ApiKey.Kind.DIRECTORY and scope in new.scopes:
        needed = _("%(kind)s, or other scopes than %(scope)s")
        values = {"kind": ApiKey.Kind.DIRECTORY.value, "scope": scope}
        raise InvalidField("kind", new.kind, needed % values)
    if new.kind == ApiKey.Kind.DIRECTORY and list(new.scopes) != [scope]:
        found = ", ".join(new.scopes) or str(_("nothing"))
        alone = _("%(scope)s alone, for the key of a directory") % {"scope": scope}
        raise InvalidField("scopes", found, alone)
    if new.kind == ApiKey.Kind.DIRECTORY and new.tables:
        none = _("no tables, for the key of a directory")
        raise InvalidField("tables", ", ".join(new.tables), none)


def _checked_owner(owner: str) -> str:
    text = owner.strip()
    if not (0 < len(text) <= _LONGEST_OWNER and text.isprintable()):
        raise InvalidField("owner", owner, _("1 to 100 characters on one line"))
    return text


def _checked_scopes(scopes: Collection[str]) -> list[str]:
    wanted = [scope.value for scope in Scope if scope.value in scopes]
    if not wanted or len(wanted) != len(set(scopes)):
        given = ", ".join(scopes) or str(_("nothing"))
        raise InvalidField("scopes", given, one_of(Scope.values))
    return wanted


def _checked_network(text: str) -> str:
    try:
        return str(ip_network(text.strip()))
    except ValueError:
        needed = _(
            "IP addresses or networks such as 192.0.2.7 or 198.51.100.0/24, with no host bits set"
        )
        raise InvalidField("networks", text, needed) from None


def _checked_tables(codes: Sequence[str]) -> list[str]:
    known = set(Table.objects.filter(code__in=codes).values_list("code", flat=True))
    for code in codes:
        if code not in known:
            raise InvalidField("tables", code, _("codes of registered tables"))
    return sorted(known)


def _checked_rate(calls: int) -> int:
    if not 1 <= calls <= MOST_CALLS:
        needed = _("requests per minute, from 1 to %(most)d") % {"most": MOST_CALLS}
        raise InvalidField("calls_per_minute", str(calls), needed)
    return calls


def _checked_expiry(expires_at: datetime | None, *, at: datetime) -> datetime | None:
    if expires_at is not None and expires_at <= at:
        raise InvalidField("expires_at", expires_at.isoformat(), _("a time in the future"))
    return expires_at
