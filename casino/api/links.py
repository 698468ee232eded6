"""The links of the OpenAPI document: which operations an answer leads to."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_ROUND: Final = (
    *("read_round", "list_bets", "read_timeline", "read_receipt"),
    "download_verification_file",
)
_DISPUTE: Final = (
    *("read_dispute", "list_dispute_steps", "list_evidence", "add_evidence"),
    *("answer_dispute", "escalate_dispute", "list_dossiers", "issue_dossier"),
    *("list_headings", "list_proposals", "propose_decision"),
)
_DOSSIER: Final = ("read_dossier", "download_dossier", "download_dossier_file")
_WEBHOOK: Final = (
    *("read_webhook", "list_dead_letters", "ping_webhook", "rotate_webhook"),
    *("resume_webhook", "change_webhook", "resend_dead_letters", "remove_webhook"),
)
_EXPORT: Final = ("read_export", "download_export", "download_export_file")
_JOB: Final = ("read_job", "list_job_results", "cancel_job")
_CERTIFICATE: Final = ("read_certificate", "download_certificate_file")
_BODY: Final = "$response.body#"
_PATH: Final = "$request.path."


class Link(NamedTuple):
    """The answers of an operation that link to others, with the parameters of those."""

    source: str
    statuses: tuple[str, ...]
    targets: tuple[str, ...]
    parameters: Mapping[str, str]
    """The parameters of the targets, as runtime expressions of OpenAPI."""
    request_body: Mapping[str, str] | None = None
    """Their body, the same. For tests only: client generators reject it in the document."""


LINKS: Final = (
    Link("deliver_rounds", ("200", "201"), _ROUND, {"round": f"{_BODY}/id"}),
    Link("deliver_rounds", ("202",), _JOB, {"job": f"{_BODY}/id"}),
    Link("list_jobs", ("200",), _JOB, {"job": f"{_BODY}/data/0/id"}),
    Link("read_job", ("200",), _JOB[1:], {"job": f"{_BODY}/id"}),
    Link("list_rounds", ("200",), _ROUND, {"round": f"{_BODY}/data/0/id"}),
    Link("read_round", ("200",), _ROUND[1:], {"round": f"{_BODY}/id"}),
    Link(
        "read_round",
        ("200",),
        ("list_history_days",),
        {"pseudonym": f"{_BODY}/bets/data/0/customer"},
    ),
    Link(
        "read_round",
        ("200",),
        ("open_dispute",),
        {},
        {
            "round": f"{_BODY}/id",
            "customer": f"{_BODY}/bets/data/0/customer",
            "reason": "wrong_payout",
            "text": "The sheet says more.",
        },
    ),
    Link(
        "list_history_days",
        ("200",),
        ("list_history_rounds", "read_day_totals"),
        {"pseudonym": f"{_PATH}pseudonym", "day": f"{_BODY}/data/0/date"},
    ),
    Link("list_history_rounds", ("200",), _ROUND, {"round": f"{_BODY}/data/0/id"}),
    Link("issue_customer_token", ("201",), ("revoke_customer_token",), {"token": f"{_BODY}/id"}),
    Link("open_dispute", ("201",), _DISPUTE, {"dispute": f"{_BODY}/id"}),
    Link("list_disputes", ("200",), _DISPUTE, {"dispute": f"{_BODY}/data/0/id"}),
    Link("read_dispute", ("200",), _DISPUTE[1:], {"dispute": f"{_BODY}/id"}),
    Link("read_dispute", ("200",), ("read_round",), {"round": f"{_BODY}/round/id"}),
    Link(
        "read_dispute",
        ("200",),
        ("prove_dispute_record",),
        {"dispute": f"{_BODY}/id", "record": f"{_BODY}/finding/records/0/id"},
    ),
    Link(
        "add_evidence",
        ("201",),
        ("read_evidence",),
        {"dispute": f"{_PATH}dispute", "sha256": f"{_BODY}/sha256"},
    ),
    Link(
        "list_evidence",
        ("200",),
        ("read_evidence",),
        {"dispute": f"{_PATH}dispute", "sha256": f"{_BODY}/data/0/sha256"},
    ),
    Link(
        "propose_decision",
        ("201",),
        ("read_proposal",),
        {"dispute": f"{_PATH}dispute", "proposal": f"{_BODY}/id"},
    ),
    Link(
        "list_proposals",
        ("200",),
        ("read_proposal",),
        {"dispute": f"{_PATH}dispute", "proposal": f"{_BODY}/data/0/id"},
    ),
    Link(
        "issue_dossier",
        ("200", "202"),
        _DOSSIER,
        {"dispute": f"{_BODY}/dispute", "dossier": f"{_BODY}/id"},
    ),
    Link(
        "list_dossiers",
        ("200",),
        _DOSSIER,
        {"dispute": f"{_PATH}dispute", "dossier": f"{_BODY}/data/0/id"},
    ),
    Link(
        "list_events", ("200",), ("read_event", "prove_event"), {"event_id": f"{_BODY}/data/0/id"}
    ),
    Link("list_events", ("200",), ("list_events",), {"cursor": f"{_BODY}/next"}),
    Link("read_event", ("200",), ("read_round",), {"round": f"{_BODY}/data/settlement/round_id"}),
    Link("add_webhook", ("201",), _WEBHOOK, {"webhook_id": f"{_BODY}/id"}),
    Link("list_webhooks", ("200",), _WEBHOOK, {"webhook_id": f"{_BODY}/data/0/id"}),
    Link(
        "list_dead_letters",
        ("200",),
        ("resend_dead_letter",),
        {"webhook_id": f"{_PATH}webhook_id", "number": f"{_BODY}/data/0/number"},
    ),
    Link("list_exports", ("200",), _EXPORT, {"export": f"{_BODY}/data/0/id"}),
    Link("list_certificates", ("200",), _CERTIFICATE, {"certificate": f"{_BODY}/data/0/id"}),
)


def add_links(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001  drf-spectacular's signature
) -> dict[str, Any]:
    """Adds the links to the responses."""
    operations = {
        operation["operationId"]: operation
        for methods in result["paths"].values()
        for operation in methods.values()
    }
    for link in LINKS:
        for status in link.statuses:
            links = operations[link.source]["responses"][status].setdefault("links", {})
            links |= {
                target: {"operationId": target, "parameters": dict(link.parameters)}
                for target in link.targets
            }
    return result
