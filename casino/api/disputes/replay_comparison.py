"""The finding of a dispute as JSON, without what the key may not read."""

from typing import Any

from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope
from compliance.exports.dossier.contents import CUSTOMER_ROUND_ACTIONS
from payouts.disputes.models import Dispute, DisputeFinding
from payouts.disputes.queries import finding_for_customer

_INTERNAL_FIELDS = ("actor", "approved_by", "payout_cents", "results_sha256")
"""Fields of a settlement about employees and about all customers of the round."""


def finding_to_json(dispute: Dispute, caller: Caller) -> dict[str, Any]:
    """The finding; each record has the address of its proof.

    A key with disputes:decide reads everything; other keys read only how many other customers are
    concerned. A customer's own key also reads no totals of the round and no names.
    """
    row = DisputeFinding.objects.get(pk=dispute.pk)
    content = row.content if caller.has(Scope.DISPUTES_DECIDE) else _for_others(dispute)
    if caller.key.customer is not None:
        content["settlements"] = [
            {**settlement, **dict.fromkeys(_INTERNAL_FIELDS)}
            for settlement in content["settlements"]
        ]
        content["records"] = [
            record for record in content["records"] if record["action"] in CUSTOMER_ROUND_ACTIONS
        ]
    proofs = f"/api/v1/disputes/{dispute}/proofs"
    return {
        **content,
        "records": [
            {**record, "proof": f"{proofs}/{record['id']}"} for record in content["records"]
        ],
        "sha256": bytes(row.digest).hex(),
    }


def _for_others(dispute: Dispute) -> dict[str, Any]:
    content = finding_for_customer(dispute)
    for bet in content["bets"]:
        bet["siblings"]["bets"] = None
    return {**content, "earlier": None}
