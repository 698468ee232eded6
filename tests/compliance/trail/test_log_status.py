"""Whether a record is in the log, asked while the log takes it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from compliance.trail.log.log_status import is_in_log_or_pending, position_of
from compliance.trail.models import AuditRecord
from tests.compliance.trail.logs import append, write


@pytest.fixture
def record(fresh_casino: str) -> AuditRecord:
    """One that no log has taken yet."""
    batch = write(3)
    return AuditRecord.objects.get(pk=batch)


@pytest.fixture(params=range(1, 5))
def appended_after(request: pytest.FixtureRequest) -> Iterator[Callable[[], bool]]:
    """Appends to the log after this many queries of the test; gives whether that has happened."""
    left = [request.param]

    def append_elsewhere() -> None:
        append()
        connection.close()

    def count(execute: Callable[..., Any], *arguments: Any) -> Any:
        answer = execute(*arguments)
        left[0] -= 1
        if left[0] == 0:
            other = Thread(target=append_elsewhere)
            other.start()
            other.join()
        return answer

    with ExitStack() as counting:
        counting.enter_context(connection.execute_wrapper(count))
        yield lambda: left[0] <= 0


def test_a_record_is_found_while_the_log_takes_it(
    record: AuditRecord, appended_after: Callable[[], bool]
) -> None:
    """It was pending, then it is logged: at no time neither. Else a worker would halt all cases."""
    assert is_in_log_or_pending(record)

    if appended_after():
        assert position_of(record.id) is not None
