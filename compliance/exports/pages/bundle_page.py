"""The page of a bundle: what it holds, who signed it, what the regulator said; its files."""

import zipfile
from typing import Any, Final

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from compliance.exports.bundle.files import (
    first_rows,
    opened,
    read_file,
    registers_in,
)
from compliance.exports.chain import Standing, standings
from compliance.exports.contents import registers_of
from compliance.exports.models import Bundle, BundleStep
from compliance.exports.pages.words import HAND_IN, SIGN, days_words, filter_words
from compliance.exports.registers.register import Register
from compliance.exports.services.download_bundle import (
    BundleKeptBack,
    file_to_give,
    record_download,
)
from compliance.exports.standing import (
    ANSWERABLE,
    GIVEN_AWAY,
    LEAVABLE,
    SENDABLE,
    SIGNABLE,
    Stage,
    signers,
)
from payouts.pages.asked import asker
from payouts.pages.confirming import is_confirmed
from payouts.pages.own_pages import person_of, show
from payouts.pages.second_factor import has_factor

_MOST_ROWS: Final = 50
_WAY: Final = (Stage.BUILT, Stage.APPROVED, Stage.SENT, Stage.RECEIVED)


def show_bundle(request: HttpRequest, number: int) -> HttpResponse:
    """Everything about a bundle, and what this person may do about it."""
    bundle = get_object_or_404(Bundle, number=number)
    [standing] = standings([bundle])
    file = opened(bundle)
    titles = {one.key: one for one in registers_of(bundle.scope)}
    found = registers_in(file.manifest)
    context = {
        "title": _("Bundle %(number)s") % {"number": bundle},
        "parent": {"title": _("AAMS exports"), "address": reverse("exports")},
        "bundle": bundle,
        "standing": standing,
        "steps": standing.steps,
        "seen": len(standing.steps),
        "days": days_words(bundle.scope),
        "filters": filter_words(bundle.scope),
        "file": file,
        "registers": [(titles[one.key], one) for one in found if one.key in titles],
        "totals": _totals(dict(next((one.money for one in found if one.key == "stages"), []))),
        "stages": _stages(standing),
        "has_next": Bundle.objects.filter(number=number + 1).exists(),
        "may_download": standing.stage in GIVEN_AWAY and file.state == "fits",
        "is_sent": standing.stage is Stage.SENT,
        "now": timezone.now(),
        **_deeds(request, standing),
    }
    return show(request, "pages/exports/bundle.html", context)


def show_rows(request: HttpRequest, number: int, register: str) -> HttpResponse:
    """The first rows of a register, as they stand in the file."""
    bundle = get_object_or_404(Bundle, number=number)
    told = _register(bundle, register)
    try:
        heading, rows = first_rows(bundle, register, most=_MOST_ROWS + 1)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise Http404 from error
    context = {
        "title": capfirst(_(told.title)),
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
    return show(request, "pages/exports/rows.html", context)


def show_summary(_request: HttpRequest, number: int) -> HttpResponse:
    """The summary for people, to be looked at before anybody signs."""
    bundle = get_object_or_404(Bundle, number=number)
    try:
        content = read_file(bundle, "summary.pdf")
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise Http404 from error
    answer = HttpResponse(content, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="sabot-{bundle}-summary.pdf"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def download(request: HttpRequest, number: int) -> FileResponse:
    """The bundle itself, once two persons have signed it; who took it is on record."""
    bundle = get_object_or_404(Bundle, number=number)
    try:
        path = file_to_give(bundle)
    except BundleKeptBack as refusal:
        raise Http404 from refusal
    record_download(bundle, file=bundle.path, at=timezone.now(), actor=asker(request))
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=bundle.path,
        content_type="application/zip",
    )


def show_answer(_request: HttpRequest, number: int, sequence: int) -> HttpResponse:
    """The regulator's answer as it came, never run by the browser."""
    step = get_object_or_404(BundleStep, bundle_id=number, sequence=sequence)
    if step.content is None:
        raise Http404
    answer = HttpResponse(bytes(step.content), content_type=step.content_type)
    answer["Content-Disposition"] = f'attachment; filename="{number:06}-{sequence}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _register(bundle: Bundle, key: str) -> Register:
    for one in registers_of(bundle.scope):
        if one.key == key:
            return one
    raise Http404


def _totals(money: dict[str, int]) -> list[tuple[str, int]]:
    """What the stages come to, where the bundle tells of stages."""
    if not money:
        return []
    return [
        (_("Staked"), money["staked_cents"]),
        (_("Refunded"), money["refunded_cents"]),
        (_("Winnings"), money["winnings_cents"]),
        (_("Difference"), money["difference_cents"]),
    ]


def _stages(standing: Standing) -> list[tuple[str, str]]:
    """The stations of its way, each ``done``, ``now`` or ahead."""
    words = {
        Stage.BUILT: _("Built"),
        Stage.APPROVED: _("Signed by two"),
        Stage.SENT: _("Sent"),
        Stage.RECEIVED: _("Acknowledged"),
    }
    reached = {
        Stage.SIGNED: Stage.BUILT,
        Stage.REFUSED: Stage.APPROVED,
        Stage.SET_ASIDE: Stage.BUILT,
    }.get(standing.stage, standing.stage)
    done = _WAY.index(reached)
    return [
        (words[one], "done" if place <= done else "now" if place == done + 1 else "ahead")
        for place, one in enumerate(_WAY)
    ]


def _deeds(request: HttpRequest, standing: Standing) -> dict[str, Any]:
    person, stage = person_of(request), standing.stage
    is_latest = standing.successor is None
    has_signed = any(one.actor_user_id == person.pk for one in signers(standing.steps))
    return {
        "signatures": signers(standing.steps),
        "waits_for_signature": stage in SIGNABLE and is_latest,
        "has_signed": has_signed,
        "may_sign": person.has_perm(SIGN) and stage in SIGNABLE and is_latest and not has_signed,
        "may_leave": person.has_perm(SIGN) and stage in LEAVABLE,
        "may_send": person.has_perm(HAND_IN) and stage in SENDABLE and is_latest,
        "may_answer": person.has_perm(HAND_IN) and stage in ANSWERABLE,
        "has_factor": has_factor(person),
        "confirmed": is_confirmed(request),
    }
