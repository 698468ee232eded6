"""``manage.py doctor``: the bucket of the archive, with the rights that the guide has for it."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from casino.operations.checks.check_result import run_check
from casino.operations.doctor import CHECKS
from tests.casino.operations.check_results import ERROR, OK, found
from tests.compliance.archive.object_storage.s3_server import S3Key, S3Server, s3_server
from tests.compliance.archive.object_storage.stores import Store, use_key

_NAME: Final = "archive bucket"
_GUIDE: Final = CLONE / "docs" / "administrator" / "archive.md"
_POLICY: Final = re.compile(r"\n\n((?:    .*\n)+)")


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    """An S3 server for these tests."""
    with s3_server() as server:
        yield server


@pytest.fixture
def store(s3: S3Server, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A new bucket that the check finds, with one object."""
    store = Store(s3, s3.new_bucket(has_lock=True))
    store.use(settings, monkeypatch)
    store.put("2026-11.1/archive.json", b"{}")
    return store


def documented_rights(bucket: str) -> dict[str, Any]:
    """The policy of the guide, for this bucket."""
    [policy] = [it for it in _POLICY.findall(_GUIDE.read_text()) if '"Statement"' in it]
    rights: dict[str, Any] = json.loads(policy.replace("sabot-archive", bucket))
    return rights


class TestTheBucket:
    def test_is_not_needed(self, settings: Settings) -> None:
        """Without the setting nothing is asked."""
        settings.ARCHIVE_BUCKET = ""

        assert found(_NAME) == (OK, "none: archives are in the folder alone")

    @pytest.mark.slow
    def test_answers_to_the_rights_of_the_guide(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, settings: Settings
    ) -> None:
        """Those of the exporter, and of other hosts, which do not write."""
        settings.ARCHIVE_LOCK_DAYS = 3
        rights = documented_rights(store.bucket)
        use_key(store.server.new_key(rights), monkeypatch)
        exporter = found(_NAME)
        for statement in rights["Statement"]:
            statement["Action"] = [
                it for it in statement["Action"] if re.match("s3:(Get|List)", it)
            ]
        use_key(store.server.new_key(rights), monkeypatch)

        assert (exporter, found(_NAME)) == ((OK, "reads and writes"), (OK, "reads; may not write"))
        assert list(store.paths()) == ["2026-11.1/archive.json"]

    @pytest.mark.parametrize("left", ["s3:ListBucket", "s3:GetObject"])
    def test_that_may_be_half_read(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, left: str
    ) -> None:
        """Listed or read alone is not enough."""
        rights = documented_rights(store.bucket)
        for statement in rights["Statement"]:
            statement["Action"] = [it for it in statement["Action"] if it == left] or ["s3:None"]
        use_key(store.server.new_key(rights), monkeypatch)

        assert found(_NAME) == (ERROR, "no answer, or a refusal")

    def test_without_locks_that_are_set(self, store: Store, settings: Settings) -> None:
        """Uploads would be refused."""
        settings.ARCHIVE_BUCKET = f"s3://{store.server.new_bucket()}"
        without = found(_NAME)
        settings.ARCHIVE_LOCK_DAYS = 3

        assert without == (OK, "reads and writes")
        assert found(_NAME) == (ERROR, "a bucket without Object Lock")

    def test_that_does_not_answer(
        self, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A missing bucket, a wrong key, no server, and a setting of no use; no secret is said."""
        settings.ARCHIVE_BUCKET = "s3://of-nobody"
        missing = found(_NAME)
        settings.ARCHIVE_BUCKET = store.url
        use_key(S3Key(store.server.key.id, "secret-word"), monkeypatch)
        refused, result = found(_NAME), run_check(CHECKS[_NAME])
        settings.ARCHIVE_ENDPOINT = "http://127.0.0.1:1"
        gone = found(_NAME)
        settings.ARCHIVE_BUCKET = "sabot-archive"

        assert missing == refused == gone == (ERROR, "no answer, or a refusal")
        assert store.url in result.detail
        assert "secret-word" not in str(result)
        assert found(_NAME) == (ERROR, "a setting of no use")
