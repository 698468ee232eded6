"""HTML: the certificate of a rule set as one file of its own, in Italian and English."""

from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import override

from compliance.exports.encoders.certificate_words import (
    Told,
    bet_words,
    chart_of,
    contradictions_of,
    facts_of,
    points_of,
    points_words,
    verdict_words,
    weights_words,
    why_words,
)
from compliance.exports.encoders.chart_picture import chart_svg

_LANGUAGES: Final = {"it": "Italiano", "en": "English"}


def certificate_html(told: Told, *, digest: str) -> bytes:
    """The document of a certificate; ``digest`` is that of the signed JSON.

    It needs nothing but itself, and its bytes follow from what was signed.
    """
    sides = []
    for language, name in _LANGUAGES.items():
        with override(language):
            sides.append({"language": language, "name": name, **_side(told, digest)})
    context = {"sides": sides, "rules": told["rules"]}
    return render_to_string("pages/exports/certificate_document.html", context).encode()


def _side(told: Told, digest: str) -> dict[str, Any]:
    """The whole document in the active language, as plain words."""
    chart = chart_of(told)
    return {
        "title": _("Certificate of returns: %(rules)s") % {"rules": told["rules"]},
        "facts": facts_of(told, digest),
        "headings": {
            "returns": _("Returns, in per cent"),
            "units": _("Variance and deviation are in units of the first stake."),
            "contradictions": _("Contradictions of the sheet"),
            "weights": _("What the declared return asks of the frequencies"),
            "chart": _("Best chart by totals"),
            "readings": _("How the sheet is read, and what else it could mean"),
            "adopted": _("Read as"),
            "signed": _(
                "The signature is that of the JSON file with this SHA-256; this document says"
                " the same for people."
            ),
        },
        "columns": [
            _("Bet"),
            _("Return"),
            _("Declared"),
            _("Difference, in points"),
            _("Verdict"),
            _("Hit frequency"),
            _("Variance"),
            _("Standard deviation"),
            _("Why"),
        ],
        "rows": [_row(one) for one in told["returns"]],
        "contradictions": contradictions_of(told),
        "weights": weights_words(told),
        "chart": chart_svg(chart) if chart is not None else "",
        "points": points_of(told["returns"]),
    }


def _row(one: Told) -> list[str]:
    return [
        bet_words(one),
        one["rtp"],
        one["declared"] or "",
        points_words(one["rtp"], one["declared"]),
        verdict_words(one["verdict"]),
        one.get("hit_frequency", ""),
        one.get("variance", ""),
        one.get("standard_deviation", ""),
        why_words(one),
    ]
