"""A casino in play, and a connection of its own for each role of the database."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone, translation

from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.log.append_to_log import append_to_log
from payouts.cases.models import Case
from rounds.models import Table
from tests.attacks.attempts import Connection
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.trail.lost_logs import give_role
from tests.databases import url_as
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed, credited
from tests.payouts.reconciliation.four_rounds import play_small
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.studio_signatures import require_signatures_at


@pytest.fixture(scope="module")
def casino(module_casino: str) -> str:
    """A settled round, executed, approved and proposed credits, the log; gives the URL."""
    open_table()
    ingest(lines(baccarat_round("r-1"), "{broken"))
    settle()
    credited("p-1", 100)
    approve(credit_proposed("p-1", 200))
    credit_proposed("p-1", 9_999_999)
    append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())
    return module_casino


@pytest.fixture
def settled_rounds(db: None) -> None:
    """Two settled rounds, and a credit with which both persons have signed before."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle()
    credited("p-1", 100)


@pytest.fixture
def resumers(db: None) -> None:
    """Two persons whose roles, by decisions, may resume what has stopped."""
    give_role(GIULIA, "compliance")
    give_role(LORENZO, "supervisor")


@pytest.fixture
def proposed(casino: str) -> Case:
    """The credit that Giulia proposed and Lorenzo could approve."""
    return Case.objects.order_by("pk").reverse()[0]


@pytest.fixture
def connect(casino: str) -> Iterator[Callable[[DatabaseRole], Connection]]:
    """Connects as a role, outside of Django; every statement is a transaction."""
    with ExitStack() as connections:

        def connected(role: DatabaseRole) -> "psycopg.Connection[tuple[Any, ...]]":
            url = url_as(role, casino)
            return connections.enter_context(psycopg.connect(url, autocommit=True))

        yield connected


@pytest.fixture
def table() -> Table:
    """A table that requires signatures."""
    opened = open_table()
    require_signatures_at()
    return opened


@pytest.fixture
def small_casino(fresh_casino: str) -> Iterator[None]:
    """A database of its own, where transactions commit; differences are read in English."""
    with translation.override("en"):
        play_small()
        yield
