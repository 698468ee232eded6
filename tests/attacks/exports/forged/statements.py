"""Statements of persons in other words, signed by keys that the forger has."""

import json
from collections.abc import Callable
from typing import Any, Final

from compliance.signatures.software_key import SoftwareKey
from tests.attacks.exports.workshop import Workshop
from tests.compliance.exports.decisions.signed_day import (
    KEYS,
    SIGNATURES,
    Line,
    signed_by,
    with_text,
)
from tests.signers import ANOTHER, FirstKey

Change = Callable[[Line], Line | None]
_NAMES: Final = ("at", "actor", "account", "action", "subject", "details")


def said_in(line: Line) -> dict[str, Any]:
    """The parts of a decision's record."""
    return dict(zip(_NAMES, json.loads(line["record"]), strict=True))


def restated(line: Line, key: SoftwareKey, *, key_id: str = "", **parts: Any) -> Line:
    """The decision with other parts, signed by the key; ``details`` are added to its own."""
    said = said_in(line)
    details = said["details"] | parts.pop("details", {})
    record = list((said | parts | {"details": details}).values())
    text = json.dumps(record, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    made = signed_by(key, with_text(line, text))
    return made | ({"key": key_id} if key_id else {})


def another_key() -> SoftwareKey:
    """The key of Zita Another, the second approver."""
    assert isinstance(ANOTHER.signer, FirstKey)
    return ANOTHER.signer.key


def key_line(shop: Workshop, of: str = "lorenzo") -> Line:
    """The key of a person."""
    own = getattr(shop.persons, of).row.id
    [line] = [line for line in shop.bundles["registers"].lines(KEYS) if line["key"] == own]
    return line


def approved_again(shop: Workshop, line: Line, **parts: Any) -> Line:
    """The key with its two approvals in other words; the approvers sign them once more."""
    first, second, *rest = line["decisions"]
    made = [
        restated(first, shop.persons.giulia.key, **parts),
        restated(second, another_key(), **parts),
    ]
    return line | {"decisions": [*made, *rest]}


def with_key(shop: Workshop, change: Change, of: str = "lorenzo") -> dict[str, bytes]:
    """The file of keys, in which that of a person is another one."""
    own = getattr(shop.persons, of).row.id
    return shop.bundles["registers"].with_lines(
        KEYS, lambda line: change(line) if line["key"] == own else line
    )


def with_step(
    shop: Workshop, change: Change, action: str = "CASE_APPROVED", of: str = "registers"
) -> dict[str, bytes]:
    """The file of signatures, in which one step of the case is another one."""
    return shop.bundles[of].with_lines(
        SIGNATURES, lambda line: change(line) if said_in(line)["action"] == action else line
    )


def by_lorenzo(shop: Workshop, key: SoftwareKey, **parts: Any) -> dict[str, bytes]:
    """The file of signatures, in which Lorenzo's approval is signed by this key."""
    return with_step(shop, lambda line: restated(line, key, **parts))
