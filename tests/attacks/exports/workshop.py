"""What an operator has genuinely exported, and the tools with which everything is changed."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.test import override_settings

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.files import dossier_zip
from compliance.exports.dossier.models import Dossier
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.sum_trees.customer_proof import prove_totals
from compliance.signatures.signed_proof import prove_decision
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.signed_heads import key_id_of, raw_key
from compliance.trail.models import AuditRecord
from payouts.cases.remedies import Remedy
from tests.casino_in_play import open_table
from tests.compliance.exports.day_closings import HOUR
from tests.compliance.exports.decisions.signed_day import (
    KEYS,
    PLANS,
    SIGNATURES,
    Line,
    Persons,
    SignedBundle,
    make_persons,
)
from tests.compliance.exports.exported_days import CLERK, contents, exported, key_in
from tests.compliance.exports.packed_bundles import MANIFEST, packed
from tests.compliance.exports.report_rows import extract
from tests.compliance.exports.test_dossiers import PHOTO
from tests.compliance.trail.logs import KEY
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.payouts.disputes.dispute_scenarios import credit, disputed, take, uphold
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)

LOG_KEY_ID: Final = key_id_of(raw_key(KEY.public_key()))
LEAVES: Final = "totals/baccarat.leaves"
KEPT: Final = ("registers/bets.jsonl", SIGNATURES, KEYS, PLANS)

DOSSIER, DOSSIER_SIGNATURE = verify_bundle.DOSSIER, verify_bundle.DOSSIER_SIGNATURE
NOTHING_ELSE: Final[Mapping[str, bytes | None]] = {}

Files = dict[str, bytes]
Arguments = list[str]


class Forged(NamedTuple):
    """How something forged is made, and words of the reason for which it is refused."""

    words: str
    make: Callable[["Workshop"], Arguments]


@dataclass
class Workshop:
    """The operator's exports, keys and folder."""

    folder: Path
    key: SigningKey
    persons: Persons
    bundles: dict[str, SignedBundle]
    """Of a closed day with a malfunction: its ``registers``, its ``reports``, ``customer``.

    ``totals`` are its registers with their sum tree, which the first ones are without, as bundles
    of earlier releases: what changes them would have to change the tree as well.
    """
    dossiers: dict[str, Files]
    """For the ``regulator`` and for the ``customer``, who may not see a part of what was signed."""
    proof: Line
    """Of a decision."""
    receipt: Line
    """Of a round."""
    totals: Line
    """That the day's totals count a customer."""

    @property
    def known(self) -> Arguments:
        """The operator's certificate by its digest."""
        return ["--key-id", self.key.key_id]

    def bundle(
        self, changes: Mapping[str, bytes | None], base: str = "registers", **manifest: Any
    ) -> Arguments:
        """The bundle with these changes, signed again by the operator."""
        return [*self.known, str(self.bundles[base].changed(changes, **manifest))]

    def recounted(
        self,
        *edits: tuple[str, str, str],
        base: str = "registers",
        also: Mapping[str, bytes | None] = NOTHING_ELSE,
        **manifest: Any,
    ) -> Arguments:
        """The bundle with other texts in registers (name, before, after), and counts that agree."""
        genuine = self.bundles[base].files
        files = dict(genuine)
        entries = json.loads(files[MANIFEST])["files"]
        for register, before, after in edits:
            name = f"registers/{register}.csv"
            assert before in files[name].decode(), f"{before} is not in {register}"
            files[name] = files[name].decode().replace(before, after, 1).encode()
            [entry] = [entry for entry in entries if entry["name"] == name]
            entry |= _counts(files[name], entry)
        changed = {name: files[name] for name in files if files[name] != genuine[name]}
        return self.bundle({**changed, **also}, base, files=entries, **manifest)

    def stating(self, name: str, base: str = "registers", **parts: Any) -> Arguments:
        """The bundle, whose manifest says something else about a file."""
        entries = json.loads(self.bundles[base].files[MANIFEST])["files"]
        [entry] = [entry for entry in entries if entry["name"] == name]
        entry |= parts
        return self.bundle({}, base, files=entries)

    def repacked(self, files: Files) -> Arguments:
        """These files under a matching seal; nobody signs them again."""
        return [*self.known, str(packed(self._new("bundle.zip"), files))]

    def dossier(
        self,
        of: str = "regulator",
        change: Callable[[Line], object] = lambda _content: None,
        files: Mapping[str, bytes | None] = NOTHING_ELSE,
    ) -> Arguments:
        """The dossier with changed content and files, signed again by the operator."""
        content = json.loads(self.dossiers[of][DOSSIER])
        change(content)
        text = json.dumps(content).encode()
        signed = {DOSSIER: text, DOSSIER_SIGNATURE: self.key.sign(text)}
        for name, part in ((SIGNATURES, "signatures"), (KEYS, "signing_keys")):
            if part in content:
                signed[name] = b"".join(json.dumps(row).encode() + b"\n" for row in content[part])
        return [*self.known, self._zipped({**self.dossiers[of], **signed, **files})]

    def record(self, content: object) -> Arguments:
        """A proof or a receipt, with the log's key."""
        return ["--log-key", LOG_KEY_ID, self.file("record.json", json.dumps(content).encode())]

    def file(self, name: str, content: bytes) -> str:
        """The path of a new file."""
        path = self._new(name)
        path.write_bytes(content)
        return str(path)

    def _zipped(self, files: Mapping[str, bytes | None]) -> str:
        path = self._new("dossier.zip")
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                if content is not None:
                    archive.writestr(name, content)
        return str(path)

    def _new(self, name: str) -> Path:
        self._number = getattr(self, "_number", 0) + 1
        return self.folder / f"{self._number}-{name}"


def _counts(content: bytes, entry: Line) -> Line:
    """What a manifest says about a register."""
    rows = list(csv.DictReader(io.StringIO(content.decode(), newline=""), delimiter=";"))
    totals = {name: sum(int(row[name] or 0) for row in rows) for name in entry["totals_cents"]}
    times = sorted(row[entry["clock"]].replace(" ", "T") + "Z" for row in rows if entry["clock"])
    first, last = (times[0], times[-1]) if times else (None, None)
    return {"rows": len(rows), "totals_cents": totals, "first_at": first, "last_at": last}


def make_workshop(folder: Path) -> Workshop:
    """Plays and closes a day with a malfunction and two disputes, and exports all of it."""
    key, persons = key_in(folder), make_persons()
    open_table()
    arrive(*(dealt(f"r-{number}", NOON + number * HOUR) for number in (1, 2, 3)))
    settle_at()
    _voided(persons, "r-1")
    close()
    append_to_log(KEY, now=AFTER)
    of_customer = Scope(DAY, DAY, customer="p-1")
    bundles = {
        "totals": exported(folder / "out", key, day=DAY),
        "reports": extract(folder / "out", key, Scope(DAY, DAY, contents=COMPLIANCE_REPORTS)),
        "customer": extract(folder / "out", key, of_customer),
    }
    dossiers = _dossiers(key)
    record = AuditRecord.objects.get(action="DISPUTE_UPHELD")
    records = AuditRecord.objects.filter(subject="round:r-2").order_by("id")
    receipt = {"receipt": "sabot receipt/1", "round": "r-2"}
    with override_settings(EXPORTS_FOLDER=folder / "out"):
        totals = prove_totals("p-2", DAY)
    thinned = {name: _thinned(made.path, key, folder) for name, made in bundles.items()}
    return Workshop(
        folder,
        key,
        persons,
        {**thinned, "registers": _before_totals(thinned["totals"])},
        dossiers,
        prove_decision(record.pk),
        {**receipt, "records": [prove_decision(row.pk) for row in records]},
        totals,
    )


def _thinned(path: Path, key: SigningKey, folder: Path) -> SignedBundle:
    """The bundle without most of those files that the script compares with their digests only."""
    whole = SignedBundle(contents(path), key, folder)
    left_out = [
        name
        for name in whole.files
        if name.endswith((".xlsx", ".xml", ".xsd", ".pdf", ".jsonl")) and name not in KEPT
    ]
    return SignedBundle(contents(whole.changed(dict.fromkeys(left_out))), key, folder)


def _before_totals(bundle: SignedBundle) -> SignedBundle:
    """The bundle as an earlier release would have made it."""
    files = {name: content for name, content in bundle.files.items() if name != LEAVES}
    manifest = json.loads(files[MANIFEST])
    del manifest["totals"]
    files[MANIFEST] = json.dumps(manifest).encode()
    before = SignedBundle(files, bundle.key, bundle.folder)
    return SignedBundle(contents(before.changed({})), bundle.key, bundle.folder)


def _voided(persons: Persons, *references: str) -> None:
    """Voids rounds on their day, by signature."""
    at = NOON + 4 * HOUR
    case = opened("malfunction", *references, at=at, actor=persons.giulia.actor)
    propose(case, Remedy.VOID, at=at, actor=persons.giulia.actor)
    approve(case, at=at + HOUR, actor=persons.lorenzo.actor)
    assert {outcome for outcome, _sequence in execute(case, at=at + HOUR)} == {"done"}


def _dossiers(key: SigningKey) -> dict[str, Files]:
    """Of a dispute that was decided together with the same for another customer."""
    dispute = disputed("r-2", bet_number=0, files=[PHOTO])
    take(dispute)
    uphold(dispute, credit(500, "p-2"))
    approve(dispute.remedies.get(is_own=True).case)
    append_to_log(KEY, now=AFTER)
    dossiers: dict[str, Files] = {}
    for audience in ("regulator", "customer"):
        issued, _is_new = issue_dossier(
            dispute, Dossier.Audience(audience), at=AFTER + 5 * HOUR, actor=CLERK
        )
        content = dossier_zip(issued, signature=key.sign(issued.content.encode()))
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            dossiers[audience] = {name: archive.read(name) for name in archive.namelist()}
    return dossiers
