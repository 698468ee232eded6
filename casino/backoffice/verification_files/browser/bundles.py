"""A bundle in the browser: what ``verify_bundle.py`` says about it, and its figures.

A dossier, a receipt or a proof is verified in the same way; these have no figures here.
"""

import contextlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from casino.backoffice.verification_files.browser.bundle_rounds import Comparison, compare_rounds
from casino.backoffice.verification_files.browser.cms import certificate_in
from casino.backoffice.verification_files.browser.signatures import InBrowser, NotVerified
from compliance.exports import verify_bundle

Json = dict[str, Any]
Say = Callable[[str], object]
Count = Callable[[int, int], object]

NOT_VERIFIED: Final = "NOT VERIFIED: "
"""Begins the line that the command would not print: what only openssl can verify."""
_WRONG: Final = "WRONG: "
_VERDICTS: Final = (_WRONG, NOT_VERIFIED, "NOT PROVED: ", "RIGHT: ", "SANDBOX, NOT REAL: ")
_CAVEATS: Final = (
    *("--policy", "--keys to", "own word", "was not checked", "prove no"),
    *("earlier format", "earlier release", "withheld", "cannot be compared", "was still open"),
)
"""Words of lines that say what is not proved."""
_TAX_BASE: Final = "registers/tax_base.csv"


class Entered(NamedTuple):
    """What the reader knows from elsewhere, as texts; empty where nothing is known."""

    signer: str = ""
    """Certificates (PEM), or a SHA-256 of one on each line."""
    log: str = ""
    """The id of the log's key, or the policy of its witnesses."""
    persons: str = ""
    """The persons' signing keys."""
    since: str = ""
    """The day since which all decisions are signed."""

    def arguments(self, folder: Path) -> list[str]:
        """The same on the command line; texts become files in the folder."""
        signer, log, words = self.signer.strip(), self.log.strip(), []
        if "-----BEGIN" in signer:
            words += ["--certificate", _file(folder, "operator.crt", signer)]
        else:
            lines = [line.rpartition("=")[2].strip() for line in signer.splitlines()]
            words += [f"--key-id={line}" for line in lines if line]
        if "quorum" in log:
            words += ["--policy", _file(folder, "log-policy", log)]
        elif log:
            words += [f"--log-key={log.lower()}"]
        if self.persons.strip():
            words += ["--keys", _file(folder, "persons.txt", self.persons)]
        if self.since.strip():
            words += [f"--signed-since={self.since.strip()}"]
        return words


def _file(folder: Path, name: str, text: str) -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


class Line(NamedTuple):
    """A line of the output: ``agrees``, ``differs`` or ``unproved``."""

    state: str
    text: str


class Witness(NamedTuple):
    """A cosignature of the head that proves a closing."""

    name: str
    at: datetime
    is_verified: bool
    """Whether the reader's policy has its key; then the signature was verified."""


class Summary(NamedTuple):
    """What a verified bundle says."""

    manifest: Json
    digest: str
    """SHA-256 of the manifest."""
    signer: str
    """The names in the certificate."""
    rounds: int | None
    """None for a bundle of reports."""
    bets: int | None
    games: list[dict[str, str | int | None]]
    """The rows of the tax base; amounts in cents."""
    witnesses: list[Witness]

    @property
    def days(self) -> list[str]:
        """The first day and the last one."""
        of = self.manifest["of"]
        return sorted({of["first_day"], of["last_day"]})


class Report(NamedTuple):
    """What was found."""

    status: int | None
    """As the command exits; None if the page cannot verify something."""
    lines: tuple[str, ...]
    """As the command prints them."""
    summary: Summary | None
    """Of a bundle that is not wrong."""
    rounds: Comparison | None
    """None without feeds, or for a bundle whose rounds cannot be compared."""

    @property
    def is_wrong(self) -> bool:
        """Whether an error was found."""
        return any(line.startswith(_WRONG) for line in self.lines)

    @property
    def verdict(self) -> str:
        """The line that says it all."""
        return next((line for line in self.lines if line.startswith(_VERDICTS)), "")

    def marked(self) -> Iterator[Line]:
        """The lines with what they mean; verdicts are last."""
        is_verdict, state = False, "agrees"
        for line in self.lines:
            if line.startswith(_VERDICTS):
                is_verdict = True
                state = "differs" if line.startswith(_WRONG) else "unproved"
                state = "agrees" if line.startswith("RIGHT: ") else state
            elif not is_verdict:
                is_open = any(words in line for words in _CAVEATS)
                state = "unproved" if is_open else "agrees"
            yield Line(state, line)


def verify(
    files: list[str],
    feeds: list[str],
    entered: Entered,
    *,
    scratch: Path,
    say: Say,
    count: Count,
) -> Report:
    """Verifies files in the working folder: the latest bundle, and the earlier ones as its chain.

    ``say`` gets each line as it is printed, ``count`` how many rounds of how many are judged.
    """
    path, *earlier = sorted(files, key=_number_in, reverse=True)
    words = [*entered.arguments(scratch), "--", path, *earlier]
    printed = _Lines(say)
    status: int | None
    try:
        with contextlib.redirect_stdout(printed):
            status = verify_bundle.main(words, InBrowser())
    except NotVerified as error:
        printed.write(f"{NOT_VERIFIED}{error}; needed openssl, which no browser has\n")
        status = None
    report = Report(status, tuple(printed.lines), None, None)
    if status is None or report.is_wrong or not _is_bundle(path):
        return report
    with zipfile.ZipFile(path) as bundle:
        rounds = compare_rounds(bundle, sorted(feeds), count=count) if feeds else None
        return report._replace(summary=_summary(bundle, entered), rounds=rounds)


class _Lines(io.TextIOBase):
    """Collects what is printed, line by line."""

    def __init__(self, say: Say) -> None:
        self.lines: list[str] = []
        self._begun, self._say = "", say

    def write(self, text: str) -> int:
        *whole, self._begun = f"{self._begun}{text}".split("\n")
        for line in whole:
            self.lines.append(line)
            self._say(line)
        return len(text)


def _number_in(path: str) -> int:
    """The number that a bundle gives itself; -1 for another file."""
    try:
        with zipfile.ZipFile(path) as bundle:
            return int(json.loads(verify_bundle.whole(bundle, verify_bundle.MANIFEST))["number"])
    except (verify_bundle.Wrong, *verify_bundle.UNREADABLE):
        return -1


def _is_bundle(path: str) -> bool:
    return not verify_bundle.is_json(path) and not verify_bundle.is_dossier(path)


def _summary(bundle: zipfile.ZipFile, entered: Entered) -> Summary:
    content = verify_bundle.whole(bundle, verify_bundle.MANIFEST)
    manifest = json.loads(content)
    rows = {file["name"]: file.get("rows") for file in manifest["files"]}
    games = verify_bundle.rows_of(bundle, _TAX_BASE) if _TAX_BASE in rows else ()
    return Summary(
        manifest,
        sha256(content).hexdigest(),
        _signer(bundle, manifest["key_id"]),
        rows.get("registers/stages.csv"),
        rows.get("registers/bets.csv"),
        [dict(_numbers(row)) for row in games],
        list(_witnesses(bundle, entered)) if manifest["closed"] else [],
    )


def _numbers(row: dict[str, str]) -> Iterator[tuple[str, str | int | None]]:
    for name, value in row.items():
        yield name, value if name == "game" else int(value) if value else None


def _signer(bundle: zipfile.ZipFile, key_id: str) -> str:
    signature = verify_bundle.whole(bundle, verify_bundle.SIGNATURE)
    pem = verify_bundle.certificates_in(InBrowser().certificates(signature))[key_id]
    return ", ".join(certificate_in(pem).subject.values())


def _witnesses(bundle: zipfile.ZipFile, entered: Entered) -> Iterator[Witness]:
    """Who cosigned the heads of the closings, and when."""
    policy = verify_bundle.policy_in(entered.log) if "quorum" in entered.log else None
    known = {} if policy is None else policy.witnesses
    ids = {_key_id(*witness) for witness in known.values()}
    proofs = json.loads(verify_bundle.whole(bundle, verify_bundle.PROOF))["closings"]
    lines = {line for proof in proofs for line in proof.get("cosignatures", [])}
    for name, signed in sorted(map(verify_bundle.cosignature_in, lines)):
        at = datetime.fromtimestamp(int.from_bytes(signed[4:12], "big"), UTC)
        yield Witness(name, at, (name, signed[:4]) in ids)


def _key_id(name: str, public: bytes) -> tuple[str, bytes]:
    """How a cosignature names the key of a witness (https://c2sp.org/signed-note)."""
    typed = verify_bundle.COSIGNATURE + public
    return name, sha256(name.encode() + b"\n" + typed).digest()[:4]
