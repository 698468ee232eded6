"""``make_studio_key``, ``simulate --sign`` and ``ingest --signatures``."""

import hashlib
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from compliance.trail.log.key_file import read_key
from rounds.models import Round, SignedBatch
from rounds.signatures.public_keys import key_id_of, raw_public_key
from rounds.signatures.web_signature import parse_web_signature
from tests.casino_in_play import open_table
from tests.documents import baccarat_round, lines
from tests.studio_signatures import Signer, require_signatures_at


def run(*command: object, **options: Any) -> tuple[str, str]:
    """Standard output and standard error of a command."""
    out, err = StringIO(), StringIO()
    call_command(*map(str, command), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


class TestMakeStudioKey:
    def test_writes_a_private_file_and_prints_what_is_registered(self, tmp_path: Path) -> None:
        """The file is readable for its owner alone."""
        file = tmp_path / "studio.pem"

        out, _ = run("make_studio_key", file)

        public = raw_public_key(read_key(file).public_key())
        assert file.stat().st_mode & 0o777 == 0o600
        key_line, public_line = out.splitlines()
        assert key_line == f"key ID {key_id_of(public)}"
        assert json.loads(public_line.removeprefix("public key "))["crv"] == "Ed25519"

    def test_never_replaces_a_file(self, tmp_path: Path) -> None:
        """A key that is in use would be lost."""
        file = tmp_path / "studio.pem"
        run("make_studio_key", file)

        with pytest.raises(CommandError, match="cannot be written"):
            run("make_studio_key", file)


class TestSimulate:
    def test_signs_every_line(self, tmp_path: Path) -> None:
        """In batches whose digests are those of the file, each with the one before."""
        key, feed = tmp_path / "studio.pem", tmp_path / "feed.ndjson"
        run("make_studio_key", key)

        run("simulate", "zappit", rounds=620, out=str(feed), sign=key)

        content = feed.read_bytes().splitlines(keepends=True)
        signed = (tmp_path / "feed.ndjson.sig").read_bytes().splitlines()
        payloads = [parse_web_signature(line).payload for line in signed]
        assert [payload["lines"] for payload in payloads] == [500, len(content) - 500]
        assert payloads[0]["sha256"] == hashlib.sha256(b"".join(content[:500])).hexdigest()
        assert payloads[1]["sha256"] == hashlib.sha256(b"".join(content[500:])).hexdigest()
        assert payloads[0]["previous"] is None
        assert payloads[1]["previous"] == hashlib.sha256(signed[0]).hexdigest()

    @pytest.mark.parametrize("out", ["-", "feed.ndjson"])
    def test_needs_a_file_and_a_key(self, tmp_path: Path, out: str) -> None:
        """The signatures lie beside the feed."""
        target = out if out == "-" else str(tmp_path / out)

        with pytest.raises(CommandError, match="--sign"):
            run("simulate", "baccarat", rounds=1, out=target, sign=tmp_path / "none.pem")


@pytest.mark.django_db
class TestIngest:
    @pytest.fixture
    def feed(self, tmp_path: Path) -> Path:
        """A feed of two batches and its signatures, at a table that requires them."""
        open_table()
        require_signatures_at()
        Signer().registered()
        batches = [
            b"".join(line + b"\n" for line in lines(*map(baccarat_round, names)))
            for names in (["r-1", "r-2"], ["r-3"])
        ]
        file = tmp_path / "feed.ndjson"
        file.write_bytes(b"".join(batches))
        signatures = Signer().signature_lines(*batches)
        (tmp_path / "feed.ndjson.sig").write_bytes(b"\n".join(signatures) + b"\n")
        return file

    def test_finds_the_signatures_beside_the_feed(self, feed: Path) -> None:
        """And says how far the feed is signed."""
        out, err = run("ingest", feed)

        assert "the first 3 lines are signed" in out
        assert err == ""
        assert SignedBatch.objects.count() == 2
        assert not Round.objects.exclude(arrival_anomalies=[]).exists()

    def test_takes_the_signatures_from_another_file(self, feed: Path, tmp_path: Path) -> None:
        """As an option."""
        elsewhere = (tmp_path / "feed.ndjson.sig").rename(tmp_path / "elsewhere")

        out, _ = run("ingest", feed, signatures=str(elsewhere))

        assert "the first 3 lines are signed" in out

    def test_names_the_first_line_that_is_not_signed(self, feed: Path) -> None:
        """With the value found and the value needed."""
        feed.write_bytes(feed.read_bytes().replace(b"r-3", b"r-4"))

        out, err = run("ingest", feed)

        assert "the first 2 lines are signed" in out
        assert "signature 2: lines: found 1 lines with SHA-256" in err
        assert [
            row.reference for row in Round.objects.filter(arrival_anomalies=["unsigned-source"])
        ] == ["r-4"]

    def test_without_signatures_takes_everything_as_unsigned(
        self, feed: Path, tmp_path: Path
    ) -> None:
        """The contract stays valid: the rounds are taken, and held."""
        (tmp_path / "feed.ndjson.sig").unlink()

        out, _ = run("ingest", feed)

        assert "3 rounds" in out
        assert "signed" not in out
        assert Round.objects.filter(arrival_anomalies=["unsigned-source"]).count() == 3
