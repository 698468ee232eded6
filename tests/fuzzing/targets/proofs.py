"""Proofs of audit records, and receipts: RIGHT for records that were signed, and only those."""

import json
from typing import Any, Final

from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target, kept_inputs
from tests.fuzzing.verifier import run_verifier

_LOG_KEY: Final = "c3e36f26321b789cfffc2a045b62d2d1b8ac0a473013ca2716b8642545efecd6"
ARGUMENTS: Final = ("--log-key", _LOG_KEY)
SIGNED: Final = ("decision.json", "receipt.json")


def check(data: bytes) -> None:
    """A file that begins otherwise would be taken for a bundle."""
    if not data.startswith(b"{"):
        return
    run = run_verifier(data, *ARGUMENTS)
    if run.status == 0:
        content = json.loads(data)
        proved = _records(content)
        assert proved
        assert set(proved) <= {record for seed in _seeds() for record in _records(json.loads(seed))}
        if "receipt" in content:
            assert all(json.loads(record)[4] == f"round:{content['round']}" for record in proved)


def _records(content: dict[str, Any]) -> list[str]:
    proofs = content["records"] if "receipt" in content else [content]
    return [proof["record"] for proof in proofs]


def _seeds() -> list[bytes]:
    return [path.read_bytes() for path in kept_inputs("proofs") if path.name in SIGNED]


def seeds() -> list[bytes]:
    """Those in the repository."""
    return []


TARGET = Target(check, seeds, JsonMutation(_seeds()), longest=8192)
