"""The page of a bundle: contents, signatures, answers and files."""

import zipfile
from typing import Any, Final

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.exports.messages import HAND_IN, SIGN, days_label, filter_label
from casino.backoffice.security.confirmation import confirmation_context
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.stages import stages_at
from casino.backoffice.site.views import show
from compliance.exports.bundle.stored_file import first_rows, inspect_file, read_file, registers_in
from compliance.exports.bundle_chain import BundleStatus, bundle_statuses
from compliance.exports.bundle_status import (
    ANSWERABLE,
    DOWNLOADABLE,
    SENDABLE,
    SET_ASIDE_FROM,
    SIGNABLE,
    Stage,
    signers,
)
from compliance.exports.models import Bundle, BundleStep
from compliance.exports.registers.register import Register
from compliance.exports.scope_registers import registers_of
from compliance.exports.services.download_bundle import (
    BundleNotDownloadable,
    downloadable_file,
    record_download,
)
from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.signatures.verify_rows import is_signed_row

_MOST_ROWS: Final = 50
_PROGRESS: Final = (Stage.BUILT, Stage.APPROVED, Stage.SENT, Stage.RECEIVED)


def show_bundle(request: HttpRequest, number: int) -> HttpResponse:
    """The bundle, and the actions available to the user."""
    bundle = get_object_or_404(Bundle, number=number)
    [status] = bundle_statuses([bundle])
    verifier = SignatureVerifier()
    unsigned = [step for step in status.steps if not is_signed_row(step, verifier)]
    is_approved_by_rows_alone = any(signature in unsigned for signature in signers(status.steps))
    file = inspect_file(bundle)
    titles = {register.key: register for register in registers_of(bundle.scope)}
    registers = registers_in(file.manifest)
    context = {
        "title": _("Bundle %(number)s") % {"number": bundle},
        "parent": {"title": _("ADM (formerly AAMS) exports"), "address": reverse("exports")},
        "bundle": bundle,
        "status": status,
        "steps": status.steps,
        "unsigned": unsigned,
        "seen": len(status.steps),
        "days": days_label(bundle.scope),
        "filters": filter_label(bundle.scope),
        "file": file,
        "registers": [
            (titles[register.key], register) for register in registers if register.key in titles
        ],
        "tiles": _tiles({register.key: dict(register.money) for register in registers}),
        "stages": _stages(status),
        "has_next": Bundle.objects.filter(number=number + 1).exists(),
        "may_download": (
            status.stage in DOWNLOADABLE and file.state == "fits" and not is_approved_by_rows_alone
        ),
        "is_sent": status.stage is Stage.SENT,
        "now": timezone.now(),
        **_actions(request, status, is_sendable=not is_approved_by_rows_alone),
    }
    return show(request, "backoffice/exports/bundle.html", context)


def show_rows(request: HttpRequest, number: int, register: str) -> HttpResponse:
    """The first rows of a register, as in the file."""
    bundle = get_object_or_404(Bundle, number=number)
    definition = _register(bundle, register)
    try:
        heading, rows = first_rows(bundle, register, most=_MOST_ROWS + 1)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise Http404 from error
    context = {
        "title": capfirst(_(definition.title)),
        "parent": {
            "title": _("Bundle %(number)s") % {"number": bundle},
            "address": reverse("bundle", args=[number]),
        },
        "bundle": bundle,
        "heading": heading,
        "rows": rows[:_MOST_ROWS],
        "most": _MOST_ROWS,
        "is_cut": len(rows) > _MOST_ROWS,
    }
    return show(request, "backoffice/exports/rows.html", context)


def show_summary(_request: HttpRequest, number: int) -> HttpResponse:
    """The summary as PDF, for review before signing."""
    bundle = get_object_or_404(Bundle, number=number)
    try:
        content = read_file(bundle, "summary.pdf")
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise Http404 from error
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="sabot-{bundle}-summary.pdf"'
    return answer


def download(request: HttpRequest, number: int) -> FileResponse:
    """Download of a bundle signed by two persons. The download is recorded."""
    bundle = get_object_or_404(Bundle, number=number)
    try:
        path = downloadable_file(bundle)
    except BundleNotDownloadable as error:
        raise Http404 from error
    record_download(bundle, file=bundle.path, at=timezone.now(), actor=actor_in(request))
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=bundle.path, content_type="application/zip"
    )


def show_answer(_request: HttpRequest, number: int, sequence: int) -> HttpResponse:
    """The regulator's answer as uploaded."""
    step = get_object_or_404(BundleStep, bundle_id=number, sequence=sequence)
    if step.content is None:
        raise Http404
    return attachment(
        bytes(step.content), name=f"{number:06}-{sequence}", content_type=step.content_type
    )


def _register(bundle: Bundle, key: str) -> Register:
    for candidate in registers_of(bundle.scope):
        if candidate.key == key:
            return candidate
    raise Http404


def _tiles(money: dict[str, dict[str, int]]) -> list[tuple[str, str, int]]:
    """The signed totals as a sum; empty if the bundle has no stages."""
    if "stages" not in money or "alignment" not in money:
        return []
    sums, changes = money["stages"], money["alignment"]["difference_change_cents"]
    return [
        ("", _("Staked"), sums["staked_cents"]),
        ("−", _("Open stakes"), sums["open_cents"]),
        ("−", _("Refunded"), sums["refunded_cents"]),
        ("−", _("Winnings"), sums["winnings_cents"]),
        ("=", _("Difference"), sums["difference_cents"]),
        ("+", _("Corrections of earlier days"), changes),
        ("=", _("Gross win"), sums["difference_cents"] + changes),
    ]


def _stages(status: BundleStatus) -> list[tuple[str, str]]:
    labels = [_("Built"), _("Signed by two"), _("Sent"), _("Acknowledged")]
    reached = {
        Stage.SIGNED: Stage.BUILT,
        Stage.REFUSED: Stage.APPROVED,
        Stage.SET_ASIDE: Stage.BUILT,
    }.get(status.stage, status.stage)
    return stages_at(labels, _PROGRESS.index(reached) + 1)


def _actions(request: HttpRequest, status: BundleStatus, *, is_sendable: bool) -> dict[str, Any]:
    person, stage = request_user(request), status.stage
    is_latest = status.successor is None
    has_signed = any(signature.actor_user_id == person.pk for signature in signers(status.steps))
    return {
        "signatures": signers(status.steps),
        "waits_for_signature": stage in SIGNABLE and is_latest,
        "has_signed": has_signed,
        "may_sign": person.has_perm(SIGN) and stage in SIGNABLE and is_latest and not has_signed,
        "may_leave": person.has_perm(SIGN) and stage in SET_ASIDE_FROM,
        "may_send": (person.has_perm(HAND_IN) and stage in SENDABLE and is_latest and is_sendable),
        "may_answer": person.has_perm(HAND_IN) and stage in ANSWERABLE,
        **confirmation_context(request),
    }
