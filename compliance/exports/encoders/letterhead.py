"""The letterhead of a PDF: the operator's name, licence and ADR contact, from the settings."""

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from django.conf import settings
from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, HRFlowable, Paragraph

_GREY: Final = colors.HexColor("#616c7a")
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


def _printable(text: str) -> str:
    """Escaped, without characters that the font lacks."""
    return escape(text.encode("cp1252", "replace").decode("cp1252"))
