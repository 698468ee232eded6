"""What migrations say in SQL of their own: squawk's rules, and statements that it lets pass."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import sqlparse
from django.db.migrations import RunSQL

_SQUAWK: Final = Path(sys.executable).with_name("squawk")
_CONTRACTING: Final = ("ban-drop-column", "ban-drop-table", "ban-drop-not-null")
_EXCLUDED: Final = (
    "require-lock-timeout",  # manage.py migrate sets it
    "require-statement-timeout",  # and cancels a statement for which others wait
    *("prefer-bigint-over-int", "prefer-bigint-over-smallint", "prefer-identity"),
    *("prefer-text-field", "prefer-timestamp-tz"),  # style
)
_WITH_LOCKS: Final = re.compile(
    r"\s*(LOCK|CLUSTER|VACUUM|TRUNCATE|REFRESH|UPDATE|DELETE)\b", re.IGNORECASE
)


def faults_of_statements(operation: RunSQL, *, is_atomic: bool, contracts: bool) -> list[str]:
    """What is wrong with the SQL; ``contracts`` allows it to drop what is unused."""
    texts = list(_texts(operation.sql))
    faults = [
        f"{found[1].upper()}: holds locks on rows or tables for as long as it takes: RunPython in"
        " batches"
        for text in texts
        for statement in sqlparse.split(text)
        if (found := _WITH_LOCKS.match(sqlparse.format(statement, strip_comments=True)))
    ]
    excluded = [*_EXCLUDED, *(_CONTRACTING if contracts else ())]
    if is_atomic:
        excluded.append("prefer-robust-stmts")
    return faults + [
        f"{violation['rule_name']}: {violation['message']} {violation.get('help') or ''}".strip()
        for violation in _squawk(";\n".join(texts), excluded, is_atomic=is_atomic)
    ]


def _texts(sql: Any) -> Iterable[str]:
    """The statements of RunSQL: a text, or a list of texts and of pairs with parameters."""
    if isinstance(sql, str):
        return [sql]
    return [part if isinstance(part, str) else part[0] for part in sql]


def _squawk(text: str, excluded: list[str], *, is_atomic: bool) -> list[dict[str, Any]]:
    command = [str(_SQUAWK), "--reporter=json", "--pg-version=15.0"]
    command += [f"--exclude={','.join(excluded)}"]
    if is_atomic:
        command.append("--assume-in-transaction")
    completed = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if completed.returncode not in (0, 1) or not completed.stdout:
        raise RuntimeError(completed.stderr)
    violations: list[dict[str, Any]] = json.loads(completed.stdout)
    return violations
