"""Declared returns as a query parameter."""

import json

from compliance.certification.returns.declared_returns import DECLARED_RETURNS


def declared_returns() -> str:
    """The query parameter of the same name: JSON, ``{rules: {kind: parts per million}}``."""
    by_rules: dict[str, dict[str, int]] = {}
    for declared in DECLARED_RETURNS:
        by_rules.setdefault(declared.rules, {}).update(
            dict.fromkeys(declared.kinds, declared.per_million)
        )
    return json.dumps(by_rules)
