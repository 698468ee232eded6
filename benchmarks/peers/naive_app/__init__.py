"""The tables of the naive settlement. No installation has them; the benchmark makes and drops them.

Same columns, keys and checks as ours had when settlement was written, as ordinary Django models.
"""

from django.db import connection, models

from benchmarks.peers.naive_app.books import Account, Transfer
from benchmarks.peers.naive_app.rounds import Bet, Customer, Round
from benchmarks.peers.naive_app.settlement import AuditRecord, BetSettlement, Settlement

_MODELS: tuple[type[models.Model], ...] = (
    Customer,
    Round,
    Bet,
    Account,
    Settlement,
    BetSettlement,
    Transfer,
    AuditRecord,
)


def create_tables() -> None:
    """Makes the tables in the database of Django's connection."""
    with connection.schema_editor() as editor:
        for model in _MODELS:
            editor.create_model(model)


__all__ = [
    "Account",
    "AuditRecord",
    "Bet",
    "BetSettlement",
    "Customer",
    "Round",
    "Settlement",
    "Transfer",
    "create_tables",
]
