"""What every database of the benchmarks is copied from."""

from pathlib import Path

import pytest

from benchmarks.workspace import Workspace
from rounds.models import Table
from rounds.services.limits_in_force import sets_in_force


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_every_prepared_table_has_signed_limits(tmp_path: Path) -> None:
    """As in play: ingestion verifies them."""
    Workspace(tmp_path).prepare()

    tables = set(Table.objects.values_list("pk", flat=True))
    assert tables
    assert sets_in_force(tables).keys() == tables
