"""The returns that the printed sheets declare, as a parameter of queries."""

import json

from compliance.certification.declared import DECLARED_RETURNS


def declared_returns() -> str:
    """The query parameter of the same name: JSON, ``{rules: {kind: parts per million}}``."""
    told: dict[str, dict[str, int]] = {}
    for one in DECLARED_RETURNS:
        told.setdefault(one.rules, {}).update(dict.fromkeys(one.kinds, one.per_million))
    return json.dumps(told)
