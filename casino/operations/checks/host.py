"""Checks of this host: folders, disk, certificate, mail, virus scanner."""

import shutil
from calendar import timegm
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from time import strptime, time
from typing import Final

from django.conf import settings
from django.core.mail import get_connection

from casino.operations.checks.check_result import CheckResult, error, ok, warning
from casino.operations.expiries import export_certificate_end
from compliance.exports.bundle.signing import certificate_path
from compliance.release.current_release import Outcome, compare_release
from payouts.virus_scan import NoScannerAddress, ScanFailed, scanner_version
from rounds import RULES_FORM
from rounds.released_rules.compiled_rules import RulesForm

_GIB: Final = 1 << 30
_LITTLE: Final = 5 * _GIB
_TOO_LITTLE: Final = 1 * _GIB
_MAIL_SECONDS: Final = 5
_SIGNATURE_DAYS: Final = 7
_DAY: Final = 24 * 60 * 60


def release_is_as_signed() -> CheckResult:
    """Every file that runs is in the signed list of the release, and as listed."""
    state = compare_release(thoroughly=True)
    if state.outcome is Outcome.NOT_A_RELEASE:
        todo = "install a release where money is real (docs/administrator/releases.md)"
        return warning(state.outcome, Outcome.SAME, todo)
    if state.outcome is Outcome.DIFFERS:
        found = f"{len(state.differences)} differences"
        todo = "manage.py verify_release lists them; take the host out of service"
        return error(found, Outcome.SAME, todo, detail=str(state.differences[0]))
    return ok(f"{state.outcome} {state.version}", Outcome.SAME)


def rules_are_those_here() -> CheckResult:
    """The compiled rules, if there are any, are of the sources that are here."""
    needed = "either form of the same rules"
    if RULES_FORM is RulesForm.OTHER_SOURCES:
        todo = "install the sabot-compiled-rules of this release; in a clone: make compiled"
        return warning(RULES_FORM, needed, todo)
    return ok(RULES_FORM, needed)


def certificate_is_there() -> CheckResult:
    """Bundles are signed with a certificate that can be read and is valid."""
    needed = "a certificate"
    if export_certificate_end() is None:
        path = certificate_path(Path(settings.EXPORT_KEY))
        todo = "manage.py make_export_key on the exporter, or correct SABOT_EXPORT_KEY"
        return error("none that can be read", needed, todo, detail=str(path))
    return ok(needed, needed)


def exports_can_be_stored() -> CheckResult:
    """The folder of the bundles is there and writable."""
    return _writable(Path(settings.EXPORTS_FOLDER), "correct SABOT_EXPORTS, or make the folder")


def metrics_can_be_stored() -> CheckResult:
    """Where METRICS_FOLDER is set, processes can write there."""
    if not settings.METRICS_FOLDER:
        return ok("not set: nothing is measured", "a writable folder, or none")
    return _writable(Path(settings.METRICS_FOLDER), "correct METRICS_FOLDER, or make the folder")


def _writable(folder: Path, todo: str) -> CheckResult:
    needed = "a folder that this account can write to"
    if not folder.is_dir():
        return error("no folder", needed, todo, detail=str(folder))
    try:
        with TemporaryFile(dir=folder):  # rights alone do not show it
            pass
    except OSError as failure:
        return error("a folder that it cannot write to", needed, todo, detail=str(failure))
    return ok("a writable folder", needed)


def disk_has_room() -> CheckResult:
    """There is room on the disk of VAR_DIR."""
    folder = next(at for at in (settings.VAR_DIR, *settings.VAR_DIR.parents) if at.exists())
    free = shutil.disk_usage(folder).free
    found, needed = f"{free / _GIB:.1f} GiB free", f"at least {_LITTLE // _GIB} GiB"
    todo = "make room, or move the folder"
    if free < _TOO_LITTLE:
        return error(found, needed, todo, detail=str(folder))
    return warning(found, needed, todo) if free < _LITTLE else ok(found, needed)


def scanner_answers() -> CheckResult:
    """Where files are scanned for viruses, the scanner answers and has recent signatures."""
    needed = f"none, or one with signatures of the last {_SIGNATURE_DAYS} days"
    if not settings.CLAMD:
        return ok("none: files are not scanned", needed)
    try:
        version = scanner_version()
    except (ScanFailed, NoScannerAddress) as failure:
        return error("no answer", needed, "start clamd, or correct CLAMD", detail=str(failure))
    with suppress(ValueError):
        made_at = timegm(strptime(version.rpartition("/")[2], "%a %b %d %H:%M:%S %Y"))
        days = int(time() - made_at) // _DAY
        found = f"signatures of {days} days ago"
        if days <= _SIGNATURE_DAYS:
            return ok(found, needed)
        return warning(found, needed, "let freshclam fetch signatures")
    return warning("signatures without a date", needed, "look at clamd's database", detail=version)


def mail_is_sent() -> CheckResult:
    """The server for notices accepts a connection and the login."""
    needed = "a mail server that answers"
    if settings.EMAIL_BACKEND.endswith(".console.EmailBackend"):
        return warning("none: notices are on Today only", needed, "set EMAIL_URL for the workers")
    connection = get_connection(timeout=_MAIL_SECONDS)
    try:
        connection.open()
    except Exception as failure:  # noqa: BLE001  of the network, of TLS or of SMTP
        todo = "correct EMAIL_URL, or start the server"
        return error("no answer", needed, todo, detail=f"{type(failure).__name__}: {failure}")
    connection.close()
    return ok("an answer", needed)
