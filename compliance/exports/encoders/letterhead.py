"""The letterhead of a PDF: the operator's name, licence and ADR contact, from the settings.

And the mark on every page of one that a sandbox makes.
"""

from collections.abc import Iterator
from typing import Any, Final
from xml.sax.saxutils import escape

from django.conf import settings
from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, HRFlowable, Paragraph

_GREY: Final = colors.HexColor("#616c7a")
_PALE_RED: Final = colors.Color(0.75, 0.1, 0.1, alpha=0.22)
_NAME: Final = ParagraphStyle("operator", fontName="Helvetica-Bold", fontSize=9, leading=12)
_DETAILS: Final = ParagraphStyle(
    "operator-details", fontName="Helvetica", fontSize=7.5, leading=10, textColor=_GREY
)


def letterhead() -> Iterator[Flowable]:
    """The head of a document in the active language; nothing if no setting names the operator.

    It is not part of a signed JSON, and changes with the settings.
    """
    details = [
        (_("Licence"), settings.OPERATOR_LICENCE),
        (_("Alternative dispute resolution (ADR)"), settings.ADR_CONTACT),
    ]
    line = " · ".join(f"{label}: {value}" for label, value in details if value)
    if settings.OPERATOR_NAME:
        yield Paragraph(_printable(settings.OPERATOR_NAME), _NAME)
    if line:
        yield Paragraph(_printable(line), _DETAILS)
    if settings.OPERATOR_NAME or line:
        yield HRFlowable(width="100%", thickness=0.5, color=_GREY, spaceBefore=4, spaceAfter=4 * mm)


def mark_page(canvas: Any, document: Any) -> None:
    """Writes over a page of a sandbox that nothing on it is real."""
    if not settings.SANDBOX:
        return
    width, height = document.pagesize
    canvas.saveState()
    canvas.setFillColor(_PALE_RED)
    canvas.translate(width / 2, height / 2)
    canvas.rotate(35)
    canvas.setFont("Helvetica-Bold", 44)
    canvas.drawCentredString(0, 0, _printable(_("Sandbox").upper()))
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawCentredString(0, -26, _printable(_("Nothing here is real, and no money moves.")))
    canvas.restoreState()


def _printable(text: str) -> str:
    """Escaped, without characters that the font lacks."""
    return escape(text.encode("cp1252", "replace").decode("cp1252"))
