"""Dossiers by the client: issue, wait, download (issue 8)."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from casino.api.client import NoAnswer, Sabot
from compliance.exports.services.issue_dossier import sign_dossiers
from tests.casino.api.api_client import issued
from tests.casino.api.web_server import served
from tests.casino_in_play import by_now
from tests.compliance.exports.exported_days import key_in
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import disputed, play


@pytest.mark.usefixtures("fresh_casino")
def test_a_dossier_is_issued_and_downloaded(tmp_path: Path) -> None:
    """The download has the listed digest; issuing it again returns the same dossier."""
    play(baccarat_round("r-1"))
    dispute = str(disputed())
    key = key_in(tmp_path, "operator")
    with served(tmp_path, processes=1) as address, Sabot(address, issued().token) as sabot:
        dossier = sabot.dossiers.issue(dispute, "customer")
        with pytest.raises(NoAnswer, match="waiting"):
            sabot.dossiers.wait(dispute, dossier.id, seconds=0, pause=0)
        sign_dossiers(key=key, now=by_now)
        signed = sabot.dossiers.wait(dispute, dossier.id)
        whole = sabot.dossiers.download(dispute, dossier.id)
        document = sabot.dossiers.file(dispute, dossier.id, "dossier.json")
        again = sabot.dossiers.issue(dispute, "customer")
        listed = list(sabot.dossiers.list(dispute, limit=1))

    assert (dossier.status, signed.status, signed.key_id) == ("waiting", "signed", key.key_id)
    assert (again, listed) == (signed, [signed])
    assert hashlib.sha256(document).hexdigest() == dossier.sha256
    with zipfile.ZipFile(io.BytesIO(whole)) as files:
        assert files.read("dossier.json") == document
