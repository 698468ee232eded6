"""Which bucket, at which address and with which key; each that is of no use is named."""

import re
from pathlib import Path

import boto3
import pytest

from compliance.archive.object_storage.bucket import BadBucketSetting, Bucket, BucketFailed
from compliance.archive.verify_archive import file_faults
from tests.compliance.archive.archived_months import Archived
from tests.compliance.archive.object_storage.s3_server import S3Key
from tests.compliance.archive.object_storage.stores import Store, use_key


class TestAStore:
    @pytest.mark.parametrize("secret", ["wrong", None])
    def test_that_refuses_the_key_is_named(
        self,
        store: Store,
        small: Archived,
        secret: str | None,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """A wrong secret, and a key of a user without rights."""
        nothing = {"Effect": "Deny", "Action": "*", "Resource": "*"}
        key = (
            store.server.new_key({"Version": "2012-10-17", "Statement": [nothing]})
            if secret is None
            else S3Key(store.server.key.id, "x")
        )
        use_key(key, monkeypatch)

        with pytest.raises(BucketFailed) as refusal:
            store.upload(small)

        assert re.search(r"\(403\).*; needed an answer of the store", str(refusal.value))
        assert str(refusal.value).startswith(f"{store.url}/2026-11.1/")
        assert store.paths() == {}
        assert file_faults(small.folder, small.archive) == []

    def test_without_any_key_is_named(
        self, store: Store, small: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As on a host whose environment has none."""
        for variable in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(variable)

        with pytest.raises(BucketFailed, match="Unable to locate credentials"):
            store.upload(small)

    @pytest.mark.parametrize(
        "url",
        ["", "sabot", "s3://", "s3://a", "https://sabot/a", "s3://Sabot", "s3://sabot/../other"],
    )
    def test_has_a_name(self, url: str) -> None:
        """Of a bucket, and a prefix that leads nowhere else."""
        with pytest.raises(BadBucketSetting, match=f"ARCHIVE_BUCKET: found '{re.escape(url)}'"):
            Bucket(url)

    def test_has_an_address(self) -> None:
        """A URL."""
        with pytest.raises(
            BadBucketSetting, match="AWS_ENDPOINT_URL_S3, AWS_…: found Invalid endpoint"
        ):
            Bucket("s3://sabot-archive", endpoint="store:9000")

    def test_is_at_no_other_address_than_that_of_the_setting(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Of which the process knows that it has TLS: not at one of boto3's own file."""
        (tmp_path / "config").write_text("[default]\nendpoint_url = http://store.example\n")
        monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
        monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-south-1")
        of_boto3 = boto3.Session().client("s3").meta.endpoint_url

        ours = Bucket("s3://sabot-archive")

        assert of_boto3 == "http://store.example"
        assert ours._client.meta.endpoint_url == "https://s3.eu-south-1.amazonaws.com"

    @pytest.mark.parametrize(
        ("url", "name"),
        [
            ("s3://sabot-archive", "s3://sabot-archive/2026-11.1"),
            ("s3://sabot-archive/", "s3://sabot-archive/2026-11.1"),
            ("s3://sabot-archive/a/b.c/", "s3://sabot-archive/a/b.c/2026-11.1"),
        ],
    )
    def test_has_archives_below_its_prefix(self, url: str, name: str) -> None:
        """Or at its root."""
        assert Bucket(url).name_of("2026-11.1") == name
