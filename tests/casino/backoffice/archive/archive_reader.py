"""The page of the archive, as somebody reads it."""

import re
from html import unescape
from typing import Any, Final

from django.test import Client

PAGE: Final = "/admin/archive/"
FORM: Final = {"first": "2026-11", "last": "2026-11"}


def run(client: Client, sql: str, **fields: str) -> str:
    """The page after running a query."""
    answer: Any = client.post(PAGE, {**FORM, "query": sql, **fields})
    assert answer.status_code == 200
    return str(answer.content.decode())


def errors(page: str) -> list[str]:
    """The errors at the fields."""
    found = re.findall(r'<p class="field-error" role="alert">(.*?)</p>', page, re.DOTALL)
    return [unescape(text) for text in found]


def table_of(page: str) -> list[list[str]]:
    """The result, headings first."""
    result = page.split('id="result"')[1].split("</table>", maxsplit=1)[0]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in result.split("<tr>")[1:]]
    return [[unescape(re.sub("<[^>]+>", "", cell)) for cell in row] for row in rows]
