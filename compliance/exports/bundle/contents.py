"""What is in a bundle beside its manifest: the registers in every form, and how to read them."""

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from compliance.exports.bundle.archive import Archive, Written, blocks_of
from compliance.exports.bundle.control import Control
from compliance.exports.contents import registers_of
from compliance.exports.encoder import WireEncoder
from compliance.exports.encoders.as_csv import csv_heading, csv_line
from compliance.exports.encoders.as_json_lines import json_line
from compliance.exports.encoders.as_summary import summary_of
from compliance.exports.encoders.as_workbook import workbook_line, write_workbook
from compliance.exports.encoders.as_xml import schema_of, xml_head, xml_line, xml_tail
from compliance.exports.encoders.copying import stream_of
from compliance.exports.models import RuleCertificate
from compliance.exports.registers.register import Register
from compliance.exports.registers.rule_sets import RULE_SETS_IN_FORCE
from compliance.exports.scope import Snapshot
from rounds.gaming_day import end_of_day

Progress = Callable[[float], None]
"""Is told what part of something is done, from 0 to 1."""
PROOF: Final = "proof.json"
VERIFIER: Final = Path(__file__).resolve().parents[1] / "verify_bundle.py"
_README: Final = """\
Registers of gaming days, from Sabot.

To verify this bundle you need Python 3.9 or later, OpenSSL 3 and the certificate of the operator,
handed to you by another way than this file:

    python3 verify_bundle.py --certificate operator.crt THIS_BUNDLE.zip PREVIOUS_BUNDLES.zip

Take verify_bundle.py from a place that you trust, or read it: it is one file. The signature alone:

    openssl cms -verify -binary -inform DER -in manifest.json.p7s -content manifest.json \\
        -CAfile operator.crt

summary.pdf is for people. registers/ holds every register as CSV (semicolons, UTF-8, money in
integer cents, times in UTC), JSON Lines, XML (schemas/ holds its schemas) and XLSX (money in euro).
In CSV and XLSX a text that a spreadsheet would run as a formula has an apostrophe before it.
manifest.json says what each file has to be; manifest.json.p7s is its signature. proof.json, where
the days are closed, proves their closings by the audit trail, totals and all. certificates/ holds
what the bets of the rule sets return, as it was computed and signed before the days ended.
"""


class Told(NamedTuple):
    """What the files of the registers are, for the manifest."""

    files: list[dict[str, Any]]
    controls: Mapping[str, Control]
    rule_sets: list[dict[str, str]]
    is_closed: bool
    """Whether all of the days are, so that it tells the same for ever."""


def write_contents(
    archive: Archive,
    snapshot: Snapshot,
    *,
    work: Path,
    proofs: list[dict[str, Any]] | None = None,
    wire: WireEncoder | None = None,
    progress: Progress = lambda _part: None,
) -> Told:
    """Writes every file that does not depend on the bundles before; ``work`` is an own folder."""
    controls: dict[str, Control] = {}
    files: list[dict[str, Any]] = []
    registers = registers_of(snapshot.of)
    for number, register in enumerate(registers):
        done = _part_of(progress, number, len(registers))
        control, written = write_register(archive, snapshot, register, work=work, progress=done)
        controls[register.key] = control
        files += [described_file(one, schema=register.schema, control=control) for one in written]
    for register in registers:
        schema = archive.add(f"schemas/{register.key}.xsd", [schema_of(register)])
        files.append(described_file(schema, schema=register.schema))
    if proofs is not None:
        files.append(described_file(archive.add(PROOF, [json_file({"closings": proofs})])))
    if wire is not None:
        for one in wire.files(snapshot, registers):
            encoded = archive.add(f"wire/{one.name}", one.blocks)
            files.append(described_file(encoded, schema=wire.name))
    rule_sets = _rule_sets(snapshot)
    for name, blocks in _certificates(snapshot, rule_sets):
        files.append(described_file(archive.add(f"certificates/{name}", blocks)))
    summary = summary_of(snapshot, controls)
    files.append(described_file(archive.add("summary.pdf", [summary], compress=False)))
    files.append(described_file(archive.add("README.txt", [_README.encode()])))
    files.append(described_file(archive.add("verify_bundle.py", [VERIFIER.read_bytes()])))
    return Told(files, controls, rule_sets, is_closed=proofs is not None)


def write_register(
    archive: Archive,
    snapshot: Snapshot,
    register: Register,
    *,
    work: Path,
    progress: Progress = lambda _part: None,
) -> tuple[Control, list[Written]]:
    """Writes one register in every form, from one reading of it."""
    forms = [csv_line, json_line, xml_line, workbook_line]
    name = f"registers/{register.key}"
    with stream_of(snapshot, register, [form(register) for form in forms], progress) as stream:
        rows = stream.control.rows
        head, tail = xml_head(register, snapshot.of), xml_tail(register)
        written = [
            archive.add(f"{name}.csv", chain([csv_heading(register)], stream.blocks(rows))),
            archive.add(f"{name}.jsonl", stream.blocks(rows)),
            archive.add(f"{name}.xml", chain([head], stream.blocks(rows), [tail])),
        ]
        book = work / f"{register.key}.xlsx"
        with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as workbook:
            write_workbook(workbook, register, stream)
    written.append(archive.add(f"{name}.xlsx", blocks_of(book), compress=False))
    book.unlink()
    return stream.control, written


def _part_of(progress: Progress, number: int, count: int) -> Progress:
    return lambda part: progress((number + part) / count)


def described_file(
    written: Written, *, schema: str | None = None, control: Control | None = None
) -> dict[str, Any]:
    """What the manifest says of a file."""
    told: dict[str, Any] = {"name": written.name, "size": written.size, "sha256": written.digest}
    if schema is not None:
        told["schema"] = schema
    if control is not None:
        told |= control.told()
    return told


def json_file(content: Mapping[str, Any]) -> bytes:
    """JSON whose bytes follow from what it says."""
    return f"{json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False)}\n".encode()


def _certificates(
    snapshot: Snapshot, rule_sets: list[dict[str, str]]
) -> Iterator[tuple[str, list[bytes]]]:
    """The certificates of these rule sets as they were when the days ended, and their signatures.

    Later ones stay out: the bundle of a closed day stays as it is.
    """
    for one in rule_sets:
        latest = (
            RuleCertificate.objects.filter(
                rules=one["rules"],
                rules_digest=bytes.fromhex(one["sha256"]),
                issued_at__lt=end_of_day(snapshot.of.last_day),
            )
            .order_by("-pk")
            .first()
        )
        if latest is not None:
            name = one["rules"].replace("/", "-")
            yield f"{name}.json", [latest.content.encode()]
            yield f"{name}.json.p7s", [bytes(latest.signature)]


def _rule_sets(snapshot: Snapshot) -> list[dict[str, str]]:
    register = RULE_SETS_IN_FORCE
    query = (
        f"SELECT line.rules, encode(line.digest, 'hex') FROM ({register.query}) AS line"  # noqa: S608  our own text
        f" ORDER BY {', '.join(register.order)}"
    )
    return [{"rules": rules, "sha256": digest} for rules, digest in snapshot.rows(query)]
