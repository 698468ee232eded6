"""The files of a dossier, one by one and all in one download."""

import io
import zipfile
from typing import Final

from compliance.exports.dossier.document import dossier_pdf
from compliance.exports.dossier.models import Dossier
from payouts.models import DisputeEvidence

LANGUAGES: Final = ("it", "en")
CONTENT_TYPES: Final = {
    "zip": "application/zip",
    "json": "application/json",
    "p7s": "application/pkcs7-signature",
    **{f"{language}.pdf": "application/pdf" for language in LANGUAGES},
}
"""The forms of a dossier, by the endings of its files."""
UNSIGNED: Final = tuple(f"{language}.pdf" for language in LANGUAGES)
"""Forms that need no signature: they name the digest of what is signed."""
_AT: Final = (1980, 1, 1, 0, 0, 0)
_README: Final = """\
The dossier of a dispute, from Sabot.

dossier.json is what is signed; dossier.json.p7s is its signature. The PDFs are made of it, in
Italian and in English. evidence/ holds what was handed in. To verify the signature you need
OpenSSL 3 and the certificate of the operator, handed to you by another way than this file:

    openssl cms -verify -binary -inform DER -in dossier.json.p7s -content dossier.json \\
        -CAfile operator.crt

"evidence" in dossier.json has the SHA-256 of every file handed in. "proofs" shows of every audit
record that it is in the signed log (RFC 9162): hash the record, follow its path, and compare with
the root of its head.
"""


def dossier_file(dossier: Dossier, form: str, *, signature: bytes) -> bytes:
    """One of the forms (``CONTENT_TYPES``); the same bytes each time."""
    match form:
        case "zip":
            return dossier_zip(dossier, signature=signature)
        case "json":
            return dossier.content.encode()
        case "p7s":
            return signature
    return pdf_of(dossier, form.removesuffix(".pdf"))


def dossier_zip(dossier: Dossier, *, signature: bytes) -> bytes:
    """All of it in one file; the same bytes each time."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "README.txt", _README.encode())
        _add(archive, "dossier.json", dossier.content.encode())
        _add(archive, "dossier.json.p7s", signature)
        for language in LANGUAGES:
            _add(archive, f"dossier.{language}.pdf", pdf_of(dossier, language))
        for number, one in enumerate(_evidence(dossier), start=1):
            _add(archive, f"evidence/{number:02}-{_safe(one.name)}", bytes(one.content))
    return content.getvalue()


def pdf_of(dossier: Dossier, language: str) -> bytes:
    """The document in this language."""
    digest = bytes(dossier.digest).hex()
    return dossier_pdf(dossier.told, language=language, digest=digest)


def _evidence(dossier: Dossier) -> list[DisputeEvidence]:
    """The files that the dossier names; what was handed in later is in a later one."""
    known = {one["sha256"] for one in dossier.told["evidence"]}
    handed_in = DisputeEvidence.objects.filter(dispute_id=dossier.dispute_id).order_by("pk")
    return [one for one in handed_in if bytes(one.digest).hex() in known]


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _AT)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def _safe(name: str) -> str:
    """The name without what would leave the folder."""
    return "".join(letter if letter.isalnum() or letter in ".-_" else "_" for letter in name)
