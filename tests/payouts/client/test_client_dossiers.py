"""Dossiers by the client: made, waited for, taken away (issue 8, 6)."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from compliance.exports.services.issue_dossier import sign_dossiers
from payouts.client import NoAnswer, Sabot
from tests.casino_in_play import by_now
from tests.documents import baccarat_round
from tests.exports.days import key_in
from tests.payouts.api.calling import issued
from tests.payouts.api.serving import served
from tests.payouts.disputes.disputing import disputed, play


@pytest.mark.usefixtures("fresh_casino")
def test_a_dossier_is_made_waited_for_and_taken_away(tmp_path: Path) -> None:
    """What is taken away has the digest that was told; the same again is the same."""
    play(baccarat_round("r-1"))
    dispute = str(disputed())
    key = key_in(tmp_path, "operator")
    with served(tmp_path, processes=1) as address, Sabot(address, issued().token) as sabot:
        made = sabot.dossiers.make(dispute, "customer")
        with pytest.raises(NoAnswer, match="waiting"):
            sabot.dossiers.wait(dispute, made.id, seconds=0, pause=0)
        sign_dossiers(key=key, now=by_now)
        signed = sabot.dossiers.wait(dispute, made.id)
        whole = sabot.dossiers.download(dispute, made.id)
        document = sabot.dossiers.file(dispute, made.id, "dossier.json")
        again = sabot.dossiers.make(dispute, "customer")
        listed = list(sabot.dossiers.list(dispute, limit=1))

    assert (made.status, signed.status, signed.key_id) == ("waiting", "signed", key.key_id)
    assert (again, listed) == (signed, [signed])
    assert hashlib.sha256(document).hexdigest() == made.sha256
    with zipfile.ZipFile(io.BytesIO(whole)) as files:
        assert files.read("dossier.json") == document
