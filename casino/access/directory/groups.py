"""The groups of the directory, each of which asks for one role (``DIRECTORY_ROLES``)."""

from collections.abc import Iterable, Mapping
from typing import NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from casino.access.roles import ROLES


def directory_groups() -> Mapping[str, str]:
    """The groups by their roles. Raises ImproperlyConfigured; so does every start of Sabot."""
    return parse_directory_roles(settings.DIRECTORY_ROLES)


def parse_directory_roles(pairs: Iterable[str]) -> dict[str, str]:
    """The groups by their roles, from texts ``GROUP=ROLE``. Raises ImproperlyConfigured."""
    groups: dict[str, str] = {}
    for pair in filter(None, map(str.strip, pairs)):
        group, _equals, role = (part.strip() for part in pair.rpartition("="))
        if not group or role not in ROLES:
            _refuse(pair, f"GROUP=ROLE, with one of the roles {', '.join(ROLES)}")
        if role in groups or group in groups.values():
            _refuse(pair, "each group and each role once")
        groups[role] = group
    return groups


def _refuse(found: str, needed: str) -> NoReturn:
    raise ImproperlyConfigured(f"DIRECTORY_ROLES: found {found}; needed {needed}")
