"""Files to download."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.http import HttpResponse

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def attachment(content: bytes | str, *, name: str, content_type: str) -> HttpResponse:
    """A file that browsers store and do not display."""
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": disposition}
    )


def json_attachment(content: Mapping[str, Any], *, name: str) -> HttpResponse:
    """A proof, as people keep and verify it."""
    text = json.dumps(content, indent=1, ensure_ascii=False)
    return attachment(text, name=name, content_type="application/json")


def csv_attachment(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, name: str
) -> HttpResponse:
    """Rows as CSV: semicolons, UTF-8."""
    answer = attachment("", name=name, content_type="text/csv; charset=utf-8")
    writer = csv.writer(answer, delimiter=";")
    writer.writerow(columns)
    writer.writerows(rows)
    return answer


def escape_formula(text: str) -> str:
    """The text, with an apostrophe if a spreadsheet would evaluate it as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
