"""Putting rule sets in force: on record, with the digest that rounds are then settled under."""

from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.queries import records_of
from compliance.trail.record import Entry, record_entries
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.services.intake import lock_names

IN_FORCE: Final = "RULES_PUT_IN_FORCE"


def put_rules_in_force(
    *, at: datetime, actor: Actor, catalogue: Catalogue = RULE_SETS
) -> list[str]:
    """Records every rule set of the software whose digest is not the last on record of its name.

    Gives their names. To be called with every release, before rounds are settled by it.
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
