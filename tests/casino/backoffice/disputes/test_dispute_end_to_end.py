"""A dispute from a customer's token to the money and the dossier (issue 8).

Programs use HTTP, the two persons use Chromium, real workers execute and sign.
"""

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from casino.api.client import Sabot
from casino.api.client.shapes.disputes import DisputeDetails
from compliance.storage.database_roles.role import DatabaseRole
from tests.books import assert_books_are_right
from tests.casino.api.api_client import issued
from tests.casino.backoffice.cases.case_tabs import play, sign
from tests.casino.backoffice.cases.conftest import address, tabs
from tests.casino.backoffice.second_factors import code_of
from tests.compliance.exports.exported_days import key_in
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import voided_wrongly
from tests.payouts.settlement.resettlement_scenarios import balance
from tests.processes import Worker, wait_until
from tests.query_in_thread import query_in_thread

__all__ = ["address", "tabs"]
_REASONS = "The cards show that Player won: the round is settled by its rules."
_PDF = b"%PDF-1.7\n"


@pytest.fixture
def exporter(worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker beside the other; only it has the export key, and signs the dossier."""
    key_in(tmp_path, "operator")
    monkeypatch.setenv("SABOT_EXPORT_KEY", str(tmp_path / "operator.key"))
    folder = tmp_path / "exporter"
    folder.mkdir()
    exporter = Worker(environment=os.environ, folder=folder, role=DatabaseRole.EXPORTER)
    exporter.start()
    yield exporter
    exporter.stop()


def decide(giulia: Page, address: str, dispute: DisputeDetails) -> None:
    """Giulia takes the dispute and upholds it; the round is to be settled again."""
    giulia.goto(f"{address}/admin/disputes/{int(dispute.id.removeprefix('D-'))}/")
    giulia.click("text=Start review")
    giulia.wait_for_selector("text=The dispute is assigned to you.")
    giulia.click("a.remedy:has-text('Pay by the actual result')")
    giulia.wait_for_selector("#effect")
    form = "form:has([name=citations])"
    giulia.fill(f"{form} [name=note]", _REASONS)
    giulia.check(f"{form} [name=citations] >> nth=0")
    giulia.select_option(f"{form} [name=reason]", "dealing-error")
    if giulia.locator(f"{form} [name=code]").count():
        phone = query_in_thread(lambda: code_of(User.objects.get(username="giulia")))
        giulia.fill(f"{form} [name=code]", phone)
    giulia.click("button:text-is('Uphold')")
    giulia.wait_for_selector("text=Upheld. A second person must approve the payment.")


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_a_customer_gets_the_money_and_the_dossier(
    tabs: tuple[Page, Page], address: str, exporter: Worker
) -> None:
    """Opened over HTTP, decided and signed in Chromium, executed, read over HTTP."""
    giulia, lorenzo = tabs
    feed = play(baccarat_round("r-1"))
    query_in_thread(voided_wrongly)
    token = query_in_thread(lambda: issued(owner="Customer service").token)

    with Sabot(address, token) as service:
        own_token = service.customers.issue_token("p-1", minutes=60).token
    with Sabot(address, own_token) as own:
        opened = own.disputes.open(
            "r-1", bet="b1", reason="wrong_payout", text="I had Player.", claimed_cents=1_000
        )
        own.disputes.add_evidence(opened.id, "statement.pdf", _PDF, if_match=opened.etag)
        decide(giulia, address, opened)
        decided = own.disputes.get(opened.id)
        lorenzo.goto(f"{address}/admin/")
        lorenzo.click("text=Review and sign")
        sign(lorenzo)
        lorenzo.wait_for_selector("text=1 of 1")
        wait_until(lambda: own.disputes.get(opened.id).state == "closed", what="it is closed")
        closed, paid = own.disputes.get(opened.id), own.rounds.get("r-1")
        actions = [step.action for step in own.disputes.steps(opened.id)]
        dossier = own.dossiers.issue(opened.id, "customer")
        own.dossiers.wait(opened.id, dossier.id)
        whole = own.dossiers.download(opened.id, dossier.id)

    assert opened.finding.replay.agrees is False
    assert (decided.state, decided.decision and decided.decision.text) == ("upheld", _REASONS)
    assert closed.remedy is not None
    assert (closed.remedy.stage, closed.remedy.executed_at is None) == ("done", False)
    assert actions == ["opened", "taken", "upheld", "closed"]
    assert [(settlement.sequence, settlement.kind) for settlement in paid.settlements] == [
        (1, "settled"),
        (2, "void"),
        (3, "settled"),
    ]
    assert (paid.settlement, paid.bets.data[0].payout_cents) == (3, 2_000)
    assert query_in_thread(lambda: balance("customer", "p-1")) == 2_500
    with zipfile.ZipFile(io.BytesIO(whole)) as files:
        assert {"dossier.json", "dossier.json.p7s", "dossier.it.pdf"} <= set(files.namelist())
        assert files.read("evidence/01-statement.pdf") == _PDF
    query_in_thread(lambda: assert_books_are_right(feed))
