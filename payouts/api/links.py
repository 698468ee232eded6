"""Which call an answer leads to, as links of OpenAPI: for programs, and for tests that follow."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_ROUND: Final = ("read_round", "list_bets", "read_timeline", "read_receipt")
_DISPUTE: Final = (
    *("read_dispute", "list_dispute_steps", "list_evidence", "add_evidence"),
    *("answer_dispute", "escalate_dispute", "list_dossiers", "ask_dossier"),
    *("list_proposals", "propose_decision"),
)
_DOSSIER: Final = ("read_dossier", "download_dossier", "download_dossier_file")
_WEBHOOK: Final = (
    *("get_webhook", "list_dead_letters", "ping_webhook", "rotate_webhook"),
    *("resume_webhook", "remove_webhook"),
)
_EXPORT: Final = ("read_export", "download_export", "download_export_file")
_CERTIFICATE: Final = ("read_certificate", "download_certificate_file")
_BODY: Final = "$response.body#"
_PATH: Final = "$request.path."


class Lead(NamedTuple):
    """Answers of a call that lead to others, and what of them those are asked with."""

    source: str
    statuses: tuple[str, ...]
    targets: tuple[str, ...]
    asked: Mapping[str, str]
    """The parameters of the targets, each an expression of OpenAPI."""
    sent: Mapping[str, str] | None = None
    """Their body."""


LEADS: Final = (
    Lead("deliver_rounds", ("200", "201"), _ROUND, {"round": f"{_BODY}/id"}),
    Lead("deliver_rounds", ("202",), ("read_job", "read_job_answers"), {"job": f"{_BODY}/id"}),
    Lead("read_job", ("200",), ("read_job_answers",), {"job": f"{_BODY}/id"}),
    Lead("list_rounds", ("200",), _ROUND, {"round": f"{_BODY}/data/0/id"}),
    Lead("read_round", ("200",), _ROUND[1:], {"round": f"{_BODY}/id"}),
    Lead(
        "read_round",
        ("200",),
        ("read_history",),
        {"pseudonym": f"{_BODY}/bets/data/0/customer"},
    ),
    Lead(
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
    Lead(
        "read_history",
        ("200",),
        ("read_day_of_history",),
        {"pseudonym": f"{_PATH}pseudonym", "day": f"{_BODY}/data/0/date"},
    ),
    Lead("read_day_of_history", ("200",), _ROUND, {"round": f"{_BODY}/data/0/id"}),
    Lead("open_dispute", ("201",), _DISPUTE, {"dispute": f"{_BODY}/id"}),
    Lead("list_disputes", ("200",), _DISPUTE, {"dispute": f"{_BODY}/data/0/id"}),
    Lead("read_dispute", ("200",), _DISPUTE[1:], {"dispute": f"{_BODY}/id"}),
    Lead("read_dispute", ("200",), ("read_round",), {"round": f"{_BODY}/round/id"}),
    Lead(
        "read_dispute",
        ("200",),
        ("prove_dispute_record",),
        {"dispute": f"{_BODY}/id", "record": f"{_BODY}/finding/records/0/id"},
    ),
    Lead(
        "add_evidence",
        ("201",),
        ("read_evidence",),
        {"dispute": f"{_PATH}dispute", "sha256": f"{_BODY}/sha256"},
    ),
    Lead(
        "list_evidence",
        ("200",),
        ("read_evidence",),
        {"dispute": f"{_PATH}dispute", "sha256": f"{_BODY}/data/0/sha256"},
    ),
    Lead(
        "propose_decision",
        ("201",),
        ("read_proposal",),
        {"dispute": f"{_PATH}dispute", "proposal": f"{_BODY}/id"},
    ),
    Lead(
        "list_proposals",
        ("200",),
        ("read_proposal",),
        {"dispute": f"{_PATH}dispute", "proposal": f"{_BODY}/data/0/id"},
    ),
    Lead(
        "ask_dossier",
        ("200", "202"),
        _DOSSIER,
        {"dispute": f"{_BODY}/dispute", "dossier": f"{_BODY}/id"},
    ),
    Lead(
        "list_dossiers",
        ("200",),
        _DOSSIER,
        {"dispute": f"{_PATH}dispute", "dossier": f"{_BODY}/data/0/id"},
    ),
    Lead(
        "list_events", ("200",), ("get_event", "prove_event"), {"event_id": f"{_BODY}/events/0/id"}
    ),
    Lead("list_events", ("200",), ("list_events",), {"after": f"{_BODY}/next"}),
    Lead("get_event", ("200",), ("read_round",), {"round": f"{_BODY}/data/round_id"}),
    Lead("add_webhook", ("201",), _WEBHOOK, {"webhook_id": f"{_BODY}/id"}),
    Lead("list_webhooks", ("200",), _WEBHOOK, {"webhook_id": f"{_BODY}/0/id"}),
    Lead(
        "list_dead_letters",
        ("200",),
        ("resend_dead_letter",),
        {"webhook_id": f"{_PATH}webhook_id", "number": f"{_BODY}/dead_letters/0/number"},
    ),
    Lead("list_exports", ("200",), _EXPORT, {"export": f"{_BODY}/data/0/id"}),
    Lead("list_certificates", ("200",), _CERTIFICATE, {"certificate": f"{_BODY}/data/0/id"}),
)


def add_links(
    result: dict[str, Any],
    generator: Any,  # noqa: ANN401, ARG001  theirs
    request: Any,  # noqa: ANN401, ARG001
    public: bool,  # noqa: ARG001, FBT001
) -> dict[str, Any]:
    """Adds to each answer which calls it leads to."""
    calls = {
        operation["operationId"]: operation
        for methods in result["paths"].values()
        for operation in methods.values()
    }
    for lead in LEADS:
        for status in lead.statuses:
            links = calls[lead.source]["responses"][status].setdefault("links", {})
            links |= {target: _link(lead, target) for target in lead.targets}
    return result


def _link(lead: Lead, target: str) -> dict[str, Any]:
    link: dict[str, Any] = {"operationId": target, "parameters": dict(lead.asked)}
    return link if lead.sent is None else {**link, "requestBody": dict(lead.sent)}
