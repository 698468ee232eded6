"""A day on which two persons voided a round, its bundle, and an operator who changes it."""

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from compliance.exports.bundle.signing import SigningKey
from compliance.signatures.assertions import Assertion
from compliance.signatures.software_key import SoftwareKey
from payouts.cases.models import Case
from payouts.cases.remedies import Remedy
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.exports.exported_days import contents, dealt, exported
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE, packed
from tests.compliance.exports.verifier_runs import VerifierRun, run_verifier
from tests.documents import lines
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.signers import EARLY, Person, approved, rooted

SIGNATURES: Final = "signatures.jsonl"
KEYS: Final = "signing_keys.jsonl"
PLANS: Final = "case_plans.jsonl"
CORRECTIONS: Final = "registers/corrections.csv"

Line = dict[str, Any]


class Persons(NamedTuple):
    """Two deciders: the host approved the key of the first, she and another that of the second."""

    giulia: Person
    lorenzo: Person


@dataclass
class SignedBundle:
    """A bundle, and what its operator can do."""

    files: dict[str, bytes]
    key: SigningKey
    folder: Path
    number: int = field(default=0, init=False)

    def lines(self, name: str) -> list[Line]:
        """The lines of a file."""
        return [json.loads(line) for line in self.files[name].splitlines()]

    def line_of(self, action: str) -> Line:
        """The signed decision of this action."""
        [line] = [line for line in self.lines(SIGNATURES) if f'"{action}"' in line["record"]]
        return line

    def with_lines(self, name: str, change: Callable[[Line], Line | None]) -> dict[str, bytes]:
        """The file with each line changed; None removes it."""
        changed = [line for before in self.lines(name) if (line := change(before)) is not None]
        return {name: b"".join(json.dumps(line).encode() + b"\n" for line in changed)}

    def verified(
        self, changes: Mapping[str, bytes | None], *arguments: str, **manifest: Any
    ) -> VerifierRun:
        """The verifier's result for a bundle with these changes, signed again by the operator."""
        path = self.changed(changes, **manifest)
        return run_verifier(path, "--key-id", self.key.key_id, *arguments)

    def changed(self, changes: Mapping[str, bytes | None], **manifest: Any) -> Path:
        """The file of the bundle with these changes, signed again by the operator."""
        changed = {**self.files, **changes}
        files = {name: content for name, content in changed.items() if content is not None}
        said = json.loads(files[MANIFEST]) | manifest
        said["files"] = [file for file in said["files"] if file["name"] in files]
        for file in said["files"]:
            content = files[file["name"]]
            file |= {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        files[MANIFEST] = json.dumps(said).encode()
        files[SIGNATURE] = self.key.sign(files[MANIFEST])
        self.number += 1
        return packed(self.folder / f"{id(self)}-{self.number}.zip", files)


@dataclass
class SignedDay(SignedBundle):
    """The bundle of the day."""

    persons: Persons
    case: Case


def make_persons(second: SoftwareKey | None = None) -> Persons:
    """Two persons with keys in force since long ago."""
    giulia = rooted("Giulia Marchetti", 1, at=EARLY)
    return Persons(giulia, approved("Lorenzo Ferri", 3, by=giulia, at=EARLY, key=second))


def void_by_case(persons: Persons, *references: str) -> Case:
    """A case by which both persons void rounds, executed."""
    case = opened("malfunction", *references, actor=persons.giulia.actor)
    propose(case, Remedy.VOID, actor=persons.giulia.actor)
    approve(case, actor=persons.lorenzo.actor)
    assert {outcome for outcome, _sequence in execute(case, at=NOW)} == {"done"}
    return case


def signed_day(folder: Path, key: SigningKey, *, second: SoftwareKey | None = None) -> SignedDay:
    """Three rounds, of which two persons voided the first; ``second`` is the approver's key."""
    open_table()
    ingest(lines(dealt("r-1", 10), dealt("r-2", 11), dealt("r-3", 12)))
    settle()
    persons = make_persons(second)
    case = void_by_case(persons, "r-1")
    files = contents(exported(folder / "out", key).path)
    return SignedDay(files, key, folder, persons, case)


def signed_by(key: SoftwareKey, line: Line, **parts: Any) -> Line:
    """The decision with an assertion that this key makes of its text."""
    text = b64decode(line["signed_text"]).decode()
    return line | assertion_parts(key.sign(text, **parts))


def assertion_parts(made: Assertion) -> Line:
    """The assertion as a line has it."""
    names = ("authenticator_data", "client_data", "signature")
    return {name: b64encode(getattr(made, name)).decode() for name in names}


def with_text(line: Line, text: str) -> Line:
    """The decision as another text."""
    return line | {"record": text, "signed_text": b64encode(text.encode()).decode()}


def wrong(bundle: SignedBundle, changes: dict[str, bytes], *arguments: str, **manifest: Any) -> str:
    """The error that the verifier names."""
    run = bundle.verified(changes, *arguments, **manifest)
    assert (run.status, run.last_line[:7]) == (1, "WRONG: "), run.output
    assert "RIGHT" not in run.output
    return run.last_line
