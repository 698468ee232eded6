"""Page sources for comparisons, without the layout of the templates."""

import re
from typing import Any

from django.http import HttpResponse


def page_html(page: Any) -> str:
    """The source of a page, without the line breaks and indentation of its templates.

    There is no space between two tags, at the start of an element or at its end. Any other run
    of space becomes one space. A no-break space is text and stays.
    """
    if isinstance(page, HttpResponse):
        page = page.getvalue()
    source = page.decode() if isinstance(page, bytes) else page
    joined = re.sub(r"(?a)>\s+<", "><", source)
    trimmed = re.sub(r"(?a)(<[a-z][^<>]*>)\s+|\s+(?=</)", r"\1", joined)
    return re.sub(r"(?a)\s+", " ", trimmed)


def page_text(page: bytes) -> str:
    """The text of a page, without tags and with single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.decode()))
