"""HTML of a certificate as a self-contained file, in Italian and English."""

from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import override

from compliance.exports.encoders.certificate_text import (
    Json,
    bet_words,
    chart_of,
    contradictions_of,
    facts_of,
    figure_text,
    points_of,
    points_words,
    verdict_words,
    weights_words,
    why_words,
)
from compliance.exports.encoders.strategy_chart import chart_svg

_LANGUAGES: Final = {"it": "Italiano", "en": "English"}


def certificate_html(certificate: Json, *, digest: str) -> bytes:
    """The HTML of a certificate; ``digest`` is that of the signed JSON. Deterministic."""
    translations = []
    for language, name in _LANGUAGES.items():
        with override(language):
            translations.append(
                {"language": language, "name": name, **_translation(certificate, digest)}
            )
    context = {"sides": translations, "rules": certificate["rules"]}
    return render_to_string("backoffice/exports/certificate_document.html", context).encode()


def _translation(certificate: Json, digest: str) -> dict[str, Any]:
    """The template context of the document in the active language."""
    chart = chart_of(certificate)
    return {
        "title": _("Certificate of returns: %(rules)s") % {"rules": certificate["rules"]},
        "facts": facts_of(certificate, digest),
        "headings": {
            "returns": _("Returns, percent"),
            "units": _("Variance and deviation are in units of the first stake."),
            "contradictions": _("Contradictions in the sheet"),
            "weights": _("Frequencies required by the declared return"),
            "chart": _("Best strategy by totals"),
            "readings": _("Rule interpretations and alternatives"),
            "adopted": _("Interpretation"),
            "signed": _(
                "The signature covers the JSON file with this SHA-256. This document presents the"
                " same contents for reading."
            ),
        },
        "columns": [
            _("Bet"),
            _("Return"),
            _("Declared"),
            _("Difference, percentage points"),
            _("Result"),
            _("Hit frequency"),
            _("Variance"),
            _("Standard deviation"),
            _("Reason"),
        ],
        "rows": [_row(row) for row in certificate["returns"]],
        "contradictions": contradictions_of(certificate),
        "weights": weights_words(certificate),
        "chart": chart_svg(chart) if chart is not None else "",
        "points": points_of(certificate["returns"]),
    }


def _row(row: Json) -> list[str]:
    return [
        bet_words(row),
        figure_text(row["rtp"]),
        figure_text(row["declared"]),
        points_words(row["rtp"], row["declared"]),
        verdict_words(row["verdict"]),
        figure_text(row.get("hit_frequency")),
        figure_text(row.get("variance")),
        figure_text(row.get("standard_deviation")),
        why_words(row),
    ]
