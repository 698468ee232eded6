"""Bundles and certificates by the client: list, read, download (issue 8)."""

import hashlib
from datetime import date
from pathlib import Path

import pytest

from casino.api.client import Conflict, Sabot
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.services.issue_certificate import issue_certificate
from rounds.rules.catalogue import RULE_SETS
from tests.casino.api.api_client import issued
from tests.casino.api.exports.export_programs import approve
from tests.casino.api.web_server import served
from tests.casino_in_play import NOW
from tests.compliance.exports.exported_days import CLERK, exported, key_in, play_the_day


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_a_bundle_is_listed_and_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The download needs two signatures; files match the listed digests."""
    play_the_day()
    monkeypatch.setenv("SABOT_EXPORTS", str(tmp_path / "out"))
    key: SigningKey = key_in(tmp_path)
    path = exported(tmp_path / "out", key).path
    issue_certificate(RULE_SETS["baccarat/1"], key=key, at=NOW, actor=CLERK)
    with served(tmp_path, processes=1) as address, Sabot(address, issued().token) as sabot:
        with pytest.raises(Conflict, match="not-approved"):
            sabot.exports.download(1)
        approve()
        [listed] = sabot.exports.list(from_=date(2026, 11, 21), to=date(2026, 11, 21))
        assert list(sabot.exports.list(from_=date(2026, 11, 22))) == []
        whole = sabot.exports.download(listed.id)
        export = sabot.exports.get(listed.id)
        files = {file.name: sabot.exports.file(1, file.name) for file in export.files}
        [certificate] = sabot.certificates.list(rules="baccarat/1")
        signed = sabot.certificates.file(certificate.id, "certificate.json")
        assert sabot.certificates.get(certificate.id) == certificate

    assert whole == path.read_bytes()
    assert (export.status, len(export.steps)) == ("approved", 2)
    digests = {file.name: file.sha256 for file in export.files}
    assert {name: hashlib.sha256(content).hexdigest() for name, content in files.items()} == digests
    assert hashlib.sha256(signed).hexdigest() == certificate.sha256
