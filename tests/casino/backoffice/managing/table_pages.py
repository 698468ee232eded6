"""Addresses and text of the pages of tables, for tests."""

from typing import Any

from rounds.models import Table
from tests.casino.backoffice.page_source import page_text

LIST = "/admin/rounds/table/"


def address(table: Table, table_action: str = "") -> str:
    """A page with an action about the table."""
    return f"/admin/tables/{table.pk}/{table_action}"


def page_of_table(table: Table) -> str:
    """The table's own page."""
    return f"{LIST}{table.pk}/change/"


def plain(page: bytes) -> str:
    """The text of a page, with hyphens for en dashes."""
    return page_text(page).replace("\N{EN DASH}", "-")


def limits(seen: int, **pairs: tuple[str, str]) -> dict[str, Any]:
    """The fields of the form of limits."""
    typed: dict[str, Any] = {"seen": seen}
    for kind, (least, most) in pairs.items():
        typed |= {f"least-{kind}": least, f"most-{kind}": most}
    return typed
