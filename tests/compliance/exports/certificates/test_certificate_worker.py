"""Requested certificates are computed by a process of the worker."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import CertificateRun, RuleCertificate
from compliance.exports.services.enqueue_certificate import enqueue_certificate
from compliance.exports.services.process_certificates import process_certificates
from compliance.exports.tasks import notify_certificate_workers
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from rounds.rules.catalogue import RULE_SETS
from tests.casino_in_play import NOW
from tests.compliance.exports.exported_days import CLERK
from tests.processes import Worker, wait_until

BACCARAT = RULE_SETS["baccarat/1"]
GIULIA = Actor("giulia", 7)


@pytest.mark.django_db
class TestARequestedCertificate:
    @pytest.mark.slow
    def test_is_issued_in_the_name_of_the_requester(self, key: SigningKey, tmp_path: Path) -> None:
        """A repeated request, or an identical result, gives the same one."""
        run = enqueue_certificate(BACCARAT, at=NOW, actor=GIULIA)
        assert enqueue_certificate(BACCARAT, at=NOW + timedelta(minutes=1), actor=CLERK) == run
        assert process_certificates(now=lambda: NOW, key=tmp_path / "export.key") == 1

        run.refresh_from_db()
        assert run.certificate is not None
        assert (run.is_new, run.certificate.actor) == (True, "giulia")
        records = AuditRecord.objects.filter(action__startswith="CERTIFICATE")
        assert [(record.action, record.actor) for record in records.order_by("pk")] == [
            ("CERTIFICATE_ASKED", "giulia"),
            ("CERTIFICATE_ISSUED", "giulia"),
        ]

        again = enqueue_certificate(BACCARAT, at=NOW, actor=CLERK)
        process_certificates(now=lambda: NOW, key=tmp_path / "export.key")
        again.refresh_from_db()
        assert (again.is_new, again.certificate) == (False, run.certificate)

    def test_waits_for_the_key(self, tmp_path: Path) -> None:
        """The run says so."""
        run = enqueue_certificate(BACCARAT, at=NOW, actor=GIULIA)
        assert process_certificates(now=lambda: NOW, key=tmp_path / "none.key") == 0

        run.refresh_from_db()
        assert (run.finished_at, run.last_error[:12]) == (None, "found no key")


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_a_worker_has_it_issued(
    fresh_casino: str,
    broker: str,
    key: SigningKey,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In its own process."""
    monkeypatch.setenv("SABOT_EXPORT_KEY", str(tmp_path / "export.key"))
    enqueue_certificate(BACCARAT, at=NOW, actor=GIULIA)
    worker = Worker(environment=os.environ, folder=tmp_path, role=DatabaseRole.EXPORTER)
    worker.start()
    try:
        notify_certificate_workers()
        wait_until(
            lambda: not CertificateRun.objects.filter(finished_at=None).exists(),
            what="it is issued",
        )
    finally:
        worker.kill()

    assert RuleCertificate.objects.get().actor == "giulia"
