"""The rate limit of a key holds across processes (issue 8, point 1)."""

import subprocess
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from casino.integrations.models import SpentRate
from casino.integrations.rate_limit import count_call, delete_old_rates
from tests.casino.api.api_client import TOKENS, Program, a_customer, issued
from tests.casino.api.web_server import served

_CALLS: Final = 40
_CALL: Final = dedent(
    """
    import sys
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen
    address, token, count = sys.argv[1:]
    for number in range(int(count)):
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"{id(sys)} {number}"}
        try:
            urlopen(Request(address, b"{}", {**headers, "Content-Type": "application/json"}))
        except HTTPError as refusal:
            print(refusal.code)
    """
)


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_counts_hold_over_several_processes(tmp_path: Path) -> None:
    """Two programs share one key at a server of two processes: thirty calls are accepted.

    A few more are accepted meanwhile, because one call becomes available every two seconds.
    """
    token = issued(calls_per_minute=30).token
    with served(tmp_path, processes=2) as address:
        arguments = [sys.executable, "-c", _CALL, f"{address}{TOKENS}", token, str(_CALLS)]
        programs = [subprocess.Popen(arguments, stdout=subprocess.PIPE) for _ in range(2)]
        lines = [line for program in programs for line in program.communicate()[0].split()]

    counted = Counter(lines)
    assert counted.keys() == {b"422", b"429"}  # let in, where nothing was asked for; and refused
    assert 30 <= counted[b"422"] < 50
    assert sum(counted.values()) == 2 * _CALLS


@pytest.mark.django_db
class TestARate:
    def test_is_spent_call_by_call(self) -> None:
        """A burst of sixty is accepted, then one call per second."""
        spent = [count_call("key:x", per_minute=60) for _ in range(60)]

        assert all(quota.is_within for quota in spent)
        assert spent[0].left == 59
        assert spent[-1].left <= 1  # one may have come back meanwhile

    def test_is_separate_for_each_caller(self) -> None:
        """An exceeded limit does not affect other callers."""
        first = [count_call("key:x", per_minute=1).is_within for _ in range(2)]

        assert first == [True, False]
        assert count_call("key:y", per_minute=1).is_within

    def test_has_retry_after(self) -> None:
        """At one call per minute, Retry-After is a minute."""
        count_call("key:x", per_minute=1)

        refused = count_call("key:x", per_minute=1)

        assert 58 <= refused.retry_seconds <= 60
        assert (refused.left, refused.is_within) == (0, False)

    def test_is_in_the_headers_of_every_answer(self) -> None:
        """RateLimit-Policy and RateLimit as in draft 10 of the RateLimit headers."""
        a_customer()
        program = Program(issued(calls_per_minute=100).token)

        headers = program.post(TOKENS, {"customer": "p-1"}).headers

        assert headers["RateLimit-Policy"] == '"key";q=100;w=60'
        assert headers["RateLimit"] == '"key";r=99;t=1'

    def test_is_deleted_when_it_is_full_again(self) -> None:
        """Rows of unused limits are deleted after an hour."""
        for caller, minutes in (("key:old", 61), ("key:new", 59)):
            count_call(caller, per_minute=1000)
            row = SpentRate.objects.get(caller=caller)
            row.whole_at = _minutes_before(row, minutes)
            row.save()

        assert delete_old_rates() == 1
        assert SpentRate.objects.get().caller == "key:new"


def _minutes_before(row: SpentRate, minutes: int) -> datetime:
    return row.whole_at - timedelta(minutes=minutes, seconds=1)
