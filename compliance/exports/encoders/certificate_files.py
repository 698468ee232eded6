"""The files of a certificate: what was signed, its signature, and the documents for people."""

import hashlib
import json
from typing import Final

from compliance.exports.encoders.as_certificate import certificate_pdf
from compliance.exports.encoders.as_certificate_page import certificate_html

CONTENT_TYPES: Final = {
    "json": "application/json",
    "p7s": "application/pkcs7-signature",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
}
"""By the ending of the file's name."""


def certificate_file(form: str, *, content: bytes, signature: bytes) -> bytes:
    """One of the files (`CONTENT_TYPES`), from the signed JSON; the same bytes each time."""
    if form == "json":
        return content
    if form == "p7s":
        return signature
    write = {"html": certificate_html, "pdf": certificate_pdf}[form]
    return write(json.loads(content), digest=hashlib.sha256(content).hexdigest())


def file_name_of(rules: str) -> str:
    """The name of a rule set as part of a file's."""
    return rules.replace("/", "-")
