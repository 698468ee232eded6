"""The files of a certificate: signed JSON, signature, HTML and PDF."""

import hashlib
import json
from typing import Final

from compliance.exports.encoders.certificate_html import certificate_html
from compliance.exports.encoders.certificate_pdf import certificate_pdf

CONTENT_TYPES: Final = {
    "json": "application/json",
    "p7s": "application/pkcs7-signature",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
}
"""Content types by suffix."""


def certificate_file(form: str, *, content: bytes, signature: bytes) -> bytes:
    """One of the files (`CONTENT_TYPES`), from the signed JSON; deterministic."""
    if form == "json":
        return content
    if form == "p7s":
        return signature
    write = {"html": certificate_html, "pdf": certificate_pdf}[form]
    return write(json.loads(content), digest=hashlib.sha256(content).hexdigest())


def file_name_of(rules: str) -> str:
    """A rule set's name as part of a file name."""
    return rules.replace("/", "-")
