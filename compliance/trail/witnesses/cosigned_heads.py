"""Heads that witnesses have cosigned: those under which Sabot hands out proofs.

Without a policy that needs witnesses, every head is one.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count

from compliance.trail.encoding import microseconds_of
from compliance.trail.log.log_status import LATE
from compliance.trail.log.stored_heads import head_of
from compliance.trail.models import Cosignature as StoredCosignature
from compliance.trail.models import TreeHead
from compliance.trail.witnesses.cosignatures import Cosignature, WitnessKey
from compliance.trail.witnesses.policy import Witness, WitnessPolicy, policy_in_force

_AT_ONCE: Final = 20


class CosignedHead(NamedTuple):
    """A head with the signatures of a quorum of witnesses, in the order in which they came."""

    head: TreeHead
    cosignatures: tuple[Cosignature, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The lines of the witnesses in a signed note, each with its end."""
        return [cosignature.line for cosignature in self.cosignatures]


class WitnessStatus(NamedTuple):
    """A witness of the policy, and the last head that it cosigned, if any."""

    witness: Witness
    last: StoredCosignature | None
    behind_since: datetime | None
    """When the first head after that was signed; None if there is none."""

    def is_late(self, now: datetime) -> bool:
        """Whether it does not cosign any more."""
        return self.behind_since is not None and now - self.behind_since > LATE


def first_cosigned_head(covering: TreeHead) -> CosignedHead | None:
    """The first head from this one on that a quorum has cosigned.

    Only the signatures that made the quorum are given, so that a proof stays what it is.
    """
    policy = policy_in_force()
    if not policy.needs_witnesses:
        return CosignedHead(covering)
    cosigned = next(_quorums(policy, start=covering.sequence), None)
    return None if cosigned is None else _first_quorum(cosigned, policy)


def last_cosigned_head() -> CosignedHead | None:
    """The latest head that a quorum has cosigned, with all signatures of named witnesses."""
    policy = policy_in_force()
    if not policy.needs_witnesses:
        latest = TreeHead.objects.select_related("key").order_by("-sequence").first()
        return None if latest is None else CosignedHead(latest)
    return next(_quorums(policy, newest_first=True), None)


def not_cosigned_since() -> datetime | None:
    """When the oldest head was signed that has no quorum, nor any head after it; None: none."""
    if not policy_in_force().needs_witnesses:
        return None
    last = last_cosigned_head()
    return _signed_after(0 if last is None else last.head.sequence)


def uncosigned_since(now: datetime) -> datetime | None:
    """Since when no quorum cosigns any more; None if the witnesses do."""
    since = not_cosigned_since()
    return since if since is not None and now - since > LATE else None


def witness_statuses() -> list[WitnessStatus]:
    """The witnesses of the policy, each with what it signed last."""
    last = [(it, last_cosignature(it.key)) for it in policy_in_force().witnesses]
    return [
        WitnessStatus(witness, signed, _signed_after(0 if signed is None else signed.head_id))
        for witness, signed in last
    ]


def last_cosignature(key: WitnessKey) -> StoredCosignature | None:
    """The signature of this witness over the latest head that it has signed, if any."""
    rows = StoredCosignature.objects.filter(witness=str(key)).select_related("head")
    return rows.order_by("-head").first()


def cosignature_of(row: StoredCosignature) -> Cosignature:
    """The signature in a row. Raises ValueError if it names no key of a witness."""
    seconds = microseconds_of(row.at) // 1_000_000
    return Cosignature(WitnessKey.parse(row.witness), seconds, bytes(row.signature))


def _signed_after(sequence: int) -> datetime | None:
    later = TreeHead.objects.filter(sequence__gt=sequence).order_by("sequence")
    return later.values_list("at", flat=True).first()


def _quorums(
    policy: WitnessPolicy, *, start: int = 0, newest_first: bool = False
) -> Iterator[CosignedHead]:
    """The heads from ``start`` on that a quorum has signed, with all signatures of its witnesses.

    Each signature is verified: a row alone is none.
    """
    place = {"head_id__gte": start}
    while numbers := _counted(policy, place, newest_first=newest_first):
        for number in numbers:
            head = TreeHead.objects.select_related("key").get(pk=number)
            signed = head_of(head)
            rows = StoredCosignature.objects.filter(head=head, witness__in=policy.keys)
            given = [it for it in map(cosignature_of, rows.order_by("id")) if it.is_of(signed)]
            if policy.is_met([each.key for each in given]):
                yield CosignedHead(head, tuple(given))
        place = {f"head_id__{'lt' if newest_first else 'gt'}": numbers[-1]}


def _counted(policy: WitnessPolicy, place: Mapping[str, int], *, newest_first: bool) -> list[int]:
    """The next heads that so many witnesses have signed as may make a quorum."""
    rows = StoredCosignature.objects.filter(**place, witness__in=policy.keys)
    heads = rows.values("head_id").annotate(signed=Count("id"))
    enough = heads.filter(signed__gte=policy.smallest_quorum)
    in_order = enough.order_by("-head_id" if newest_first else "head_id")
    return list(in_order.values_list("head_id", flat=True)[:_AT_ONCE])


def _first_quorum(cosigned: CosignedHead, policy: WitnessPolicy) -> CosignedHead:
    """The head with those signatures only that made its quorum, the first ones to come."""
    for count in range(len(cosigned.cosignatures)):
        first = cosigned.cosignatures[:count]
        if policy.is_met([each.key for each in first]):
            return cosigned._replace(cosignatures=first)
    return cosigned
