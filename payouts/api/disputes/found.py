"""What Sabot found about a dispute, as far as a key may read it."""

from typing import Any

from payouts.api.caller import Caller
from payouts.api.rounds.told import OF_PLAY
from payouts.api.scopes import Scope
from payouts.disputes.queries import finding_for_customer
from payouts.models import Dispute, DisputeFinding

_OF_EVERYBODY = ("actor", "approved_by", "payout_cents", "results_sha256")
"""What a settlement tells of persons who work here, and of all customers of the round."""


def finding_told(dispute: Dispute, caller: Caller) -> dict[str, Any]:
    """The finding, each record with where its proof is.

    Whoever takes part in deciding reads all of it; others read of other customers how many they
    are. A customer's own key reads besides no sum of the whole round and no person's name.
    """
    kept = DisputeFinding.objects.get(pk=dispute.pk)
    content = kept.content if caller.has(Scope.DISPUTES_DECIDE) else _for_others(dispute)
    if caller.key.customer is not None:
        content["settlements"] = [
            {**one, **dict.fromkeys(_OF_EVERYBODY)} for one in content["settlements"]
        ]
        content["records"] = [one for one in content["records"] if one["action"] in OF_PLAY]
    proofs = f"/api/v1/disputes/{dispute}/proofs"
    return {
        **content,
        "records": [{**one, "proof": f"{proofs}/{one['id']}"} for one in content["records"]],
        "sha256": bytes(kept.digest).hex(),
    }


def _for_others(dispute: Dispute) -> dict[str, Any]:
    content = finding_for_customer(dispute)
    for bet in content["bets"]:
        bet["siblings"]["bets"] = None
    return {**content, "earlier": None}
