"""What a request that is refused leaves in the log."""

import logging
import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from casino.operations.traceback_filter import WithoutTraceback
from tests.casino.api.web_server import serving

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("status", "is_kept"), [(400, False), (403, False), (500, True)])
def test_the_traceback_of_an_error_alone_is_kept(status: int, is_kept: bool) -> None:
    """The line itself is logged in any case; what is of no request is kept."""
    record = logging.makeLogRecord({"exc_info": (ValueError, ValueError(), None)})
    assert WithoutTraceback().filter(record)
    assert record.exc_info is not None

    record.status_code = status

    assert WithoutTraceback().filter(record)
    assert (record.exc_info is not None) == is_kept


@pytest.mark.slow
def test_whoever_knocks_at_random_leaves_a_line_each(fresh_casino: str, tmp_path: Path) -> None:
    """Of a host that is not this one, and of a form that is none."""
    with serving(tmp_path, processes=1) as (address, _pid):
        for headers in ({"Host": "evil.example"}, {"Content-Type": "multipart/form-data"}):
            with pytest.raises(HTTPError, match="400"):
                urlopen(Request(f"{address}/admin/login/", b"a=b", headers))

    log = (tmp_path / "web.log").read_text()
    found = re.findall("(?:Invalid HTTP_HOST|Unable to parse).*\n(Traceback)?", log)
    assert set(found) == {""}
