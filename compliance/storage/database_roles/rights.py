"""What each role of the database may do with each table, as the applications declare it.

An application declares its own tables in its module ``database_rights``. ``TABLES`` is a text: a
line of roles, the columns, and a line for each table with the letters of each role's rights.
``SEQUENCES`` and ``FUNCTIONS`` are for sequences that statements name and functions that run with
the rights of the owner.

The command ``grant_database_roles`` grants it, ``verify_schema`` compares the database with it, and
a test fails until a new table is declared. A table that is not declared is nobody's.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from compliance.storage.app_declarations import declarations
from compliance.storage.database_roles.role import ROLES, DatabaseRole

RIGHTS: Final[Mapping[str, str]] = {"r": "SELECT", "a": "INSERT", "w": "UPDATE", "d": "DELETE"}
"""The letters of ``TABLES``, which are those of psql's ``\\dp``; ``.`` is no right."""

_MODULE: Final = "database_rights"


@cache
def table_rights() -> Mapping[str, Mapping[DatabaseRole, tuple[str, ...]]]:
    """The rights of each role on each declared table."""
    return merge_rights(declarations(_MODULE, "TABLES"))


def merge_rights(
    declared: Iterable[tuple[str, str]],
) -> Mapping[str, Mapping[DatabaseRole, tuple[str, ...]]]:
    """The rights in ``TABLES`` of modules; those of a role without a column are none.

    Raises ValueError for a line without letters for each column, and for a table that is declared
    for a role a second time.
    """
    merged: dict[str, dict[DatabaseRole, tuple[str, ...]]] = defaultdict(dict)
    for module, text in declared:
        for table, rights in _rights_in(text):
            if twice := merged[table].keys() & rights:
                raise ValueError(f"{module}: found {table} a second time for {min(twice)}")
            merged[table] |= rights
    return {
        table: {role: rights.get(role, ()) for role in ROLES} for table, rights in merged.items()
    }


def rights_of(role: DatabaseRole, table: str) -> tuple[str, ...]:
    """The rights of a role on a table; none on a table that is not declared."""
    return table_rights().get(table, {}).get(role, ())


@cache
def named_sequences() -> Mapping[str, str]:
    """Sequences that statements name, with the table whose writers may use them.

    Those of identity columns need no right.
    """
    return _merged("SEQUENCES")


@cache
def owner_functions() -> Mapping[str, frozenset[DatabaseRole]]:
    """The functions that run with the rights of the owner, with the roles that may call them."""
    return _merged("FUNCTIONS")


def _rights_in(text: str) -> Iterator[tuple[str, dict[DatabaseRole, tuple[str, ...]]]]:
    columns: list[DatabaseRole] = []
    for line in text.splitlines():
        words = line.split()
        if words and set(words) <= set(ROLES):
            columns = [DatabaseRole(word) for word in words]
        elif "   " in line.strip():  # else the heading of a group
            table, *letters = words
            if len(letters) != len(columns):
                found = f"found {len(letters)} columns for {table}"
                raise ValueError(f"{found}; needed {len(columns)}")
            yield table, dict(zip(columns, map(_rights, letters), strict=True))


def _rights(letters: str) -> tuple[str, ...]:
    return tuple(RIGHTS[letter] for letter in letters if letter != ".")


def _merged(attribute: str) -> dict[str, Any]:
    found = declarations(_MODULE, attribute, default={})
    return {name: value for _module, named in found for name, value in named.items()}
