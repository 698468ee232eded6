"""The files of a bundle other than its manifest: registers in every format, documentation."""

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from compliance.exports.bundle.archive import Archive, Written, blocks_of
from compliance.exports.bundle.control_totals import Control
from compliance.exports.bundle.decisions import KEYS, PLANS, SIGNATURES, ReportedDecisions
from compliance.exports.bundle.signing import VERIFY_SIGNATURE
from compliance.exports.encoders.copy_stream import Stream, streams_of
from compliance.exports.encoders.csv_lines import csv_heading, csv_line
from compliance.exports.encoders.json_lines import json_line
from compliance.exports.encoders.summary_pdf import summary_of
from compliance.exports.encoders.workbook import workbook_line, write_workbook
from compliance.exports.encoders.xml_lines import schema_of, xml_head, xml_line, xml_tail
from compliance.exports.models import RuleCertificate, SumTree
from compliance.exports.registers.register import Register
from compliance.exports.registers.rule_sets import RULE_SETS_IN_FORCE
from compliance.exports.scope import Scope, Snapshot
from compliance.exports.scope_registers import registers_of
from compliance.exports.sum_trees.trees_of_day import trees_of_day
from compliance.exports.wire_encoder import WireEncoder
from compliance.trail.encoding import json_of
from compliance.trail.sandbox import sandbox_member
from rounds.gaming_day import end_of_day

_FORMS: Final = (csv_line, json_line, xml_line, workbook_line)
Progress = Callable[[float], None]
"""Called with the completed fraction, from 0 to 1."""
PROOF: Final = "proof.json"
VERIFIER: Final = Path(__file__).resolve().parents[1] / "verify_bundle.py"
_TEXT: Final = """\
Registers of gaming days, from Sabot.

To verify this bundle you need Python 3.9 or later, OpenSSL 3, and the operator's certificate or the
64 digits of its SHA-256, obtained separately from this file. Use one of:

    python3 verify_bundle.py --certificate operator.crt THIS_BUNDLE.zip PREVIOUS_BUNDLES.zip
    python3 verify_bundle.py --key-id DIGITS THIS_BUNDLE.zip PREVIOUS_BUNDLES.zip

Use verify_bundle.py from a trusted source, or read it: it is a single file. To verify only the
signature, first compare the digits that the first command prints with those of the operator:

@SIGNATURE@
summary.pdf is a summary for reading. registers/ contains every register as CSV (semicolons, UTF-8,
money in integer cents, times in UTC), JSON Lines, XML (with schemas in schemas/) and XLSX (money in
euros). In CSV and XLSX, an apostrophe precedes text that a spreadsheet would evaluate as a formula.
manifest.json lists every file with its digest; manifest.json.p7s is its signature. proof.json, for
closed days, proves the closings and their totals by the audit trail. certificates/ contains the
certified returns of the rule sets, issued before the end of the days. signatures.jsonl contains the
signatures of the persons who took the reported decisions, signing_keys.jsonl their public keys, and
case_plans.jsonl what each decision planned for each round. totals/, for closed days, has the sum
tree of each game: shares of customers' stakes and winnings, which add up to the tax base.
"""
_OF_SANDBOX: Final = "SANDBOX: nothing in this bundle is real.\n\n"
_README: Final = _TEXT.replace("@SIGNATURE@", VERIFY_SIGNATURE.format(name="manifest.json"))


class WrittenContents(NamedTuple):
    """The written files and their totals, for the manifest."""

    files: list[dict[str, Any]]
    controls: Mapping[str, Control]
    rule_sets: list[dict[str, str]]
    trees: list[SumTree]
    """The sum trees of a closed gaming day, some of which may not be stored yet."""
    is_closed: bool
    """Whether all days are closed, so that the contents are final."""


def write_contents(
    archive: Archive,
    snapshot: Snapshot,
    *,
    work: Path,
    proofs: list[dict[str, Any]] | None = None,
    wire: WireEncoder | None = None,
    progress: Progress = lambda _part: None,
) -> WrittenContents:
    """Writes every file that does not depend on earlier bundles; ``work`` is a scratch folder."""
    controls: dict[str, Control] = {}
    files: list[dict[str, Any]] = []
    registers = registers_of(snapshot.of)
    with closing(streams_of(snapshot, registers, _FORMS, progress)) as streams:
        for register, stream in streams:
            forms = _write_register(archive, snapshot.of, register, stream, work=work)
            controls[register.key] = control = stream.control
            files += [file_entry(file, schema=register.schema, control=control) for file in forms]
    for register in registers:
        schema = archive.add(f"schemas/{register.key}.xsd", [schema_of(register)])
        files.append(file_entry(schema, schema=register.schema))
    decisions = ReportedDecisions(snapshot)
    for name, lines in (
        (SIGNATURES, decisions.signatures()),
        (KEYS, decisions.keys()),
        (PLANS, decisions.plans()),
    ):
        files.append(file_entry(archive.add(name, map(json_line_of, lines))))
    if proofs is not None:
        files.append(file_entry(archive.add(PROOF, [json_file({"closings": proofs})])))
    trees = []
    if proofs is not None and snapshot.of.is_gaming_day:
        for tree, leaves in trees_of_day(snapshot):
            # A customer's path is read from the middle of this file.
            written = archive.add(f"totals/{tree.game}.leaves", [b"".join(leaves)], compress=False)
            files.append(file_entry(written))
            trees.append(tree)
    if wire is not None:
        for wire_file in wire.files(snapshot, registers):
            encoded = archive.add(f"wire/{wire_file.name}", wire_file.blocks)
            files.append(file_entry(encoded, schema=wire.name))
    rule_sets = _rule_sets(snapshot)
    for name, blocks in _certificates(snapshot, rule_sets):
        files.append(file_entry(archive.add(f"certificates/{name}", blocks)))
    summary = summary_of(snapshot, controls)
    files.append(file_entry(archive.add("summary.pdf", [summary], compress=False)))
    note = _OF_SANDBOX if sandbox_member() else ""
    files.append(file_entry(archive.add("README.txt", [f"{note}{_README}".encode()])))
    files.append(file_entry(archive.add("verify_bundle.py", [VERIFIER.read_bytes()])))
    return WrittenContents(files, controls, rule_sets, trees, is_closed=proofs is not None)


def _write_register(
    archive: Archive, of: Scope, register: Register, stream: Stream, *, work: Path
) -> list[Written]:
    """Writes one register in every format, from the stream of ``_FORMS``."""
    name, rows = f"registers/{register.key}", stream.control.rows
    head, tail = xml_head(register, of), xml_tail(register)
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
    return written


def file_entry(
    written: Written, *, schema: str | None = None, control: Control | None = None
) -> dict[str, Any]:
    """The entry of a file in the manifest."""
    entry: dict[str, Any] = {"name": written.name, "size": written.size, "sha256": written.digest}
    if schema is not None:
        entry["schema"] = schema
    if control is not None:
        entry |= control.to_json()
    return entry


def json_file(content: Mapping[str, Any]) -> bytes:
    """Canonical JSON."""
    return f"{json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False)}\n".encode()


def json_line_of(content: Mapping[str, Any]) -> bytes:
    """Canonical JSON on one line."""
    return f"{json_of(content)}\n".encode()


def _certificates(
    snapshot: Snapshot, rule_sets: list[dict[str, str]]
) -> Iterator[tuple[str, list[bytes]]]:
    """The certificates of these rule sets at the end of the days, with their signatures.

    Later certificates are left out, so that the bundle of a closed day does not change.
    """
    for rule_set in rule_sets:
        certificate = (
            RuleCertificate.objects.filter(
                rules=rule_set["rules"],
                rules_digest=bytes.fromhex(rule_set["sha256"]),
                issued_at__lt=end_of_day(snapshot.of.last_day),
            )
            .order_by("-pk")
            .first()
        )
        if certificate is not None:
            name = rule_set["rules"].replace("/", "-")
            yield f"{name}.json", [certificate.content.encode()]
            yield f"{name}.json.p7s", [bytes(certificate.signature)]


def _rule_sets(snapshot: Snapshot) -> list[dict[str, str]]:
    register = RULE_SETS_IN_FORCE
    query = (
        f"SELECT line.rules, encode(line.digest, 'hex') FROM ({register.query}) AS line"
        f" ORDER BY {', '.join(register.order)}"
    )
    return [{"rules": rules, "sha256": digest} for rules, digest in snapshot.rows(query)]
