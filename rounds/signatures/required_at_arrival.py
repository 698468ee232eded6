"""Whether the table of a round required signatures when the round arrived."""

from collections.abc import Collection, Sequence

from compliance.signatures.log_order import is_logged_after
from compliance.trail.models import AuditRecord
from rounds.models import EarlierTable, SignatureRequirement
from rounds.rule_inputs import RoundToJudge
from rounds.signatures.received_by_log import receipt_of
from rounds.signatures.requirements import is_required


class RequirementsAtArrival:
    """The settings of these tables, in the order in which they changed."""

    def __init__(self, table_ids: Collection[int]) -> None:
        rows = SignatureRequirement.objects.filter(table_id__in=table_ids).select_related("table")
        self._steps: dict[int, list[SignatureRequirement]] = {}
        for step in rows.order_by("table_id", "sequence"):
            self._steps.setdefault(step.table_id, []).append(step)
        earlier = EarlierTable.objects.filter(pk__in=table_ids)
        self._earlier = set(earlier.values_list("pk", flat=True))

    def ever(self, table_id: int) -> bool:
        """Whether any round of the table can need a signature."""
        return table_id in self._steps or table_id not in self._earlier

    def apply_to(self, stored: RoundToJudge, arrival: int) -> bool:
        """Whether the round needs a signature.

        A row that claims to have arrived before a requirement is believed only if the log does not
        contradict.
        """
        steps = self._steps.get(stored.table_id, [])
        under = [step for step in steps if step.since_arrival < arrival]
        if is_required(under[-1]) if under else stored.table_id not in self._earlier:
            return True
        later = [step for step in steps if step not in under and is_required(step)]
        return bool(later) and not _was_received_before(stored, later)


def _was_received_before(stored: RoundToJudge, steps: Sequence[SignatureRequirement]) -> bool:
    """Whether the log received the round before it received each of the steps.

    Others may write records that resemble these, so all records of a step count.
    """
    received = receipt_of(stored.dealt.round)
    return received is not None and all(_is_before(received, step) for step in steps)


def _is_before(received: AuditRecord, step: SignatureRequirement) -> bool:
    decided = AuditRecord.objects.filter(
        action=step.entry.action, subject=step.entry.subject, at=step.at
    )
    return decided.exists() and not any(is_logged_after(received, record) for record in decided)
