"""``manage.py doctor``: keys, files and settings of a host, each really broken."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from django.utils import timezone
from pytest_django import Settings

from casino.operations.checks.check_result import State
from compliance.siem.models import SiemCursor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.key_file import remember_head
from rounds.released_rules.compiled_rules import RulesForm
from tests.casino.api.api_client import issued
from tests.casino.operations.check_results import ERROR, OK, WARNING, found
from tests.compliance.trail.logs import append_signed, write
from tests.compliance.trail.lost_logs import declare, find_loss, lose, signing_persons
from tests.signers import FirstKey, signing

_KEY: Final = "A key that nobody guesses, of fifty characters and more"


@pytest.mark.django_db
class TestKeys:
    @pytest.mark.parametrize(
        ("roots", "state"), [([], ERROR), (["any"], ERROR), (["3f", "a0"], OK)]
    )
    def test_of_the_first_persons_are_named(
        self, settings: Settings, roots: list[str], state: State
    ) -> None:
        """Not any first key, and not none."""
        settings.SIGNING_KEY_ROOTS = roots

        assert found("first signing keys")[0] is state

    def test_of_two_persons_are_needed(self) -> None:
        """Two keys of one person do not count as two."""
        states = [found("signing keys")[0]]
        for name, number in (("giulia", 1), ("giulia", 1), ("lorenzo", 2)):
            FirstKey(signing(name, number)).approve()
            states.append(found("signing keys")[0])

        assert states == [ERROR, ERROR, ERROR, OK]

    @pytest.mark.parametrize(("days", "state"), [(90, OK), (10, WARNING), (-1, ERROR)])
    def test_of_the_exports_expire(
        self, settings: Settings, tmp_path: Path, days: int, state: State
    ) -> None:
        """With the certificate."""
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        certify(tmp_path / "export.crt", days=days)

        assert found("expiries")[0] is state
        assert found("certificate")[0] is OK

    def test_of_programs_expire(self, settings: Settings, tmp_path: Path) -> None:
        """In ten days."""
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        now = timezone.now()
        issued(at=now, expires_at=now + timedelta(days=10, hours=1))

        assert found("expiries") == (WARNING, "api_key in 10 days")

    def test_of_the_log_can_be_read(self, settings: Settings, tmp_path: Path) -> None:
        """Where it is set."""
        states = []
        for path in ("", str(tmp_path / "log.pem"), __file__):
            settings.LOG_KEY_FILE = path
            states.append(found("log key")[0])

        assert states == [OK, ERROR, OK]


@pytest.mark.django_db
def test_audit_records_that_nobody_signs() -> None:
    """Until a worker has the key of the log; those of the table are days old."""
    before = found("audit log")[0]
    issued(at=timezone.now() - timedelta(hours=1))
    late = found("audit log")
    append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())

    assert (before, late) == (WARNING, (ERROR, "a record waits for 60 minutes"))
    assert found("audit log") == (OK, "0 wait")


@pytest.mark.django_db
def test_audit_records_that_the_siem_has_not_got() -> None:
    """For more than ten minutes."""
    nobody = found("siem")
    write(3)
    size = append_signed(at=timezone.now() - timedelta(minutes=11)).head.size
    cursor = SiemCursor.objects.create(receiver="syslog", seen=size - 2, error="it is full")
    late = found("siem")
    cursor.seen = size
    cursor.save()

    assert (nobody, late) == ((OK, "no receiver"), (ERROR, "2 records wait for syslog"))
    assert found("siem") == (OK, "1 receivers")


@pytest.mark.django_db
class TestTheEndOfTheLog:
    def test_is_lost_by_a_restored_database(self, settings: Settings, tmp_path: Path) -> None:
        """On the host of the key at once; elsewhere once a worker has found it."""
        signing_persons()
        witnessed = lose(300, 2, after=[260])
        elsewhere = found("end of the log")
        settings.LOG_KEY_FILE = str(tmp_path / "log.pem")
        remember_head(tmp_path / "log.pem", witnessed)
        here = found("end of the log")
        settings.LOG_KEY_FILE = ""
        loss = find_loss(witnessed)

        lost = "302 records of heads 2 to 3 lost"
        assert elsewhere == (OK, "no record lost")
        assert here == found("end of the log") == (ERROR, lost)
        declare(loss)
        assert found("end of the log") == (WARNING, f"{lost} and declared")
        append_signed(witnessed=witnessed)
        assert found("end of the log") == (OK, "no record lost")

    def test_is_that_of_another_log(self, settings: Settings, tmp_path: Path) -> None:
        """Which nobody can declare lost."""
        witnessed = lose(3, after=[5])
        settings.LOG_KEY_FILE = str(tmp_path / "log.pem")
        remember_head(tmp_path / "log.pem", witnessed)
        write(7, at=timezone.now())
        append_signed()

        assert found("end of the log") == (ERROR, "another log")


class TestTheHost:
    @pytest.mark.parametrize("form", RulesForm)
    def test_has_rules_compiled_from_the_sources_here(
        self, monkeypatch: pytest.MonkeyPatch, form: RulesForm
    ) -> None:
        """Or none; `tests/deploy/test_compiled_rules.py` has each of these."""
        monkeypatch.setattr("casino.operations.checks.host.RULES_FORM", form)

        state = WARNING if form is RulesForm.OTHER_SOURCES else OK
        assert found("compiled rules") == (state, form)

    def test_has_no_certificate(self, settings: Settings, tmp_path: Path) -> None:
        """Or a file that is none."""
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        missing = found("certificate")[0]
        (tmp_path / "export.crt").write_text("no certificate")

        assert (missing, found("certificate")[0]) == (ERROR, ERROR)

    @pytest.mark.parametrize(
        ("name", "setting"),
        [("export folder", "EXPORTS_FOLDER"), ("metrics folder", "METRICS_FOLDER")],
    )
    def test_has_folders(self, settings: Settings, tmp_path: Path, name: str, setting: str) -> None:
        """One that is there, none, and one of the system in which nobody can make a file."""
        states = []
        for folder in (tmp_path, tmp_path / "none", Path("/proc")):
            setattr(settings, setting, str(folder))
            states.append(found(name)[0])

        assert states == [OK, ERROR, ERROR]

    def test_needs_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """More than there is on any disk."""
        states = []
        for limit in ("_LITTLE", "_TOO_LITTLE"):
            monkeypatch.setattr(f"casino.operations.checks.host.{limit}", 1 << 70)
            states.append(found("disk")[0])

        assert states == [WARNING, ERROR]

    def test_has_a_virus_scanner_where_one_is_named(self, settings: Settings) -> None:
        """Its signatures are asked for in ``test_scanned_evidence.py``, with a real one."""
        states = []
        for settings.CLAMD in ("", "tcp:127.0.0.1:1", "clamd"):
            states.append(found("virus scanner")[0])

        assert states == [OK, ERROR, ERROR]

    def test_sends_mail(self, settings: Settings, mail_server: int) -> None:
        """To a server; without one notices are in the log."""
        settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
        states = [found("mail")[0]]
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        for settings.EMAIL_PORT in (1, mail_server):
            states.append(found("mail")[0])

        assert states == [WARNING, ERROR, OK]


@pytest.fixture
def mail_server() -> Iterator[int]:
    """A server that greets one client of SMTP and says goodbye; gives its port."""

    def serve() -> None:
        client, _address = listening.accept()
        with client, client.makefile("rb") as said:
            client.sendall(b"220 ready\r\n")
            for line in said:
                client.sendall(b"221 bye\r\n" if line.startswith(b"quit") else b"250 ok\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Thread(target=serve, daemon=True)
        server.start()
        yield listening.getsockname()[1]
        server.join(timeout=10)


@pytest.mark.parametrize(
    ("name", "setting", "unsafe", "state", "safe"),
    [
        ("debug pages", "DEBUG", True, ERROR, False),
        ("software keys", "SOFTWARE_KEYS", True, ERROR, False),
        ("browser keys", "BROWSER_KEYS", True, WARNING, False),
        ("host names", "ALLOWED_HOSTS", ["*"], ERROR, ["sabot.example"]),
        ("webhooks", "WEBHOOKS_TO_LOOPBACK", True, ERROR, False),
        ("https", "HTTPS", False, ERROR, True),
        (
            "secret key",
            "SECRET_KEY",
            "CHANGE-ME-" + "to-fifty-random" * 3,
            ERROR,
            _KEY,
        ),
        ("secret key", "SECRET_KEY", "x" * 49, ERROR, _KEY),
        ("secret key", "SECRET_KEY", "abc" * 17, ERROR, _KEY),
    ],
)
def test_settings_of_a_demo_are_found(
    settings: Settings, name: str, setting: str, unsafe: object, state: State, safe: object
) -> None:
    """They suit no installation with real money."""
    settings.SANDBOX = False
    states = []
    for value in (unsafe, safe):
        setattr(settings, setting, value)
        states.append(found(name)[0])

    assert states == [state, OK]


def test_a_sandbox_may_have_keys_in_files(settings: Settings) -> None:
    """Programs of integrators sign with them, and nothing is real."""
    settings.SOFTWARE_KEYS = True
    states = []
    for settings.SANDBOX in (True, False):
        states.append(found("software keys")[0])

    assert states == [WARNING, ERROR]


def certify(path: Path, *, days: int) -> None:
    """Writes a certificate that ends in so many days, and an hour."""
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Exports")])
    end = timezone.now() + timedelta(days=days, hours=1)
    certificate = (
        x509.CertificateBuilder(subject_name=name, issuer_name=name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(end - timedelta(days=365))
        .not_valid_after(end)
        .sign(key, None)
    )
    path.write_bytes(certificate.public_bytes(Encoding.PEM))
