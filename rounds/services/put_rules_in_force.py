"""Audit records of the rule sets in force, with their digests."""

from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.queries import records_of
from compliance.trail.record import Entry, record_entries
from rounds.rules.catalogue import RULE_SETS, Catalogue

IN_FORCE: Final = "RULES_PUT_IN_FORCE"


def put_rules_in_force(
    *, at: datetime, actor: Actor, catalogue: Catalogue = RULE_SETS
) -> list[str]:
    """Records every rule set whose digest differs from the last recorded one; returns their names.

    Call it with every release, before rounds are settled.
    """
    entries = []
    with transaction.atomic():
        lock_names(["rules"])
        for rules in catalogue.values():
            last = records_of(f"rules:{rules.name}").filter(action=IN_FORCE).last()
            before = last.details["digest"] if last is not None else None
            if before != rules.digest.hex():
                details = {
                    "digest": rules.digest.hex(),
                    "before": before,
                    "in_force_from": str(rules.in_force_from),
                    "sheet": rules.sheet,
                }
                entries.append(Entry(IN_FORCE, f"rules:{rules.name}", details))
        record_entries(entries, at=at, actor=actor)
    return [entry.subject.removeprefix("rules:") for entry in entries]
