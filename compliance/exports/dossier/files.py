"""The files of a dossier, separately and as one ZIP."""

import io
import zipfile
from typing import Final

from compliance.exports.bundle.contents import VERIFIER, json_line_of
from compliance.exports.bundle.decisions import KEYS, SIGNATURES
from compliance.exports.bundle.signing import VERIFY_SIGNATURE
from compliance.exports.dossier.contents import evidence_for
from compliance.exports.dossier.document import dossier_pdf
from compliance.exports.dossier.models import Dossier
from payouts.disputes.models import DisputeEvidence
from rounds.formatting import LANGUAGES

CONTENT_TYPES: Final = {
    "zip": "application/zip",
    "json": "application/json",
    "p7s": "application/pkcs7-signature",
    **{f"{language}.pdf": "application/pdf" for language in LANGUAGES},
}
"""Content types of the formats of a dossier, by suffix."""
UNSIGNED: Final = tuple(f"{language}.pdf" for language in LANGUAGES)
"""Formats without signature: they print the digest of the signed file."""
_AT: Final = (1980, 1, 1, 0, 0, 0)
_TEXT: Final = """\
The dossier of a dispute, from Sabot.

dossier.json is the signed document; dossier.json.p7s is its signature. The PDFs are generated from
it, in Italian and in English. evidence/ contains the files submitted. signatures.jsonl and
signing_keys.jsonl are the parts of dossier.json by which those who decided can be verified.

To verify everything you need Python 3.9 or later, OpenSSL 3, and the 64 digits of the SHA-256 of
the operator's certificate, obtained separately from this file:

    python3 verify_bundle.py --key-id DIGITS THIS_DOSSIER.zip

To verify only the signature, first compare the digits that the first command prints with those of
the operator:

@SIGNATURE@
"evidence" in dossier.json lists the SHA-256 of every submitted file. "proofs" contains, for every
audit record, the proof that it is in the signed log (RFC 9162): hash the record, follow its path,
and compare the result with the root of its head.
"""
_README: Final = _TEXT.replace("@SIGNATURE@", VERIFY_SIGNATURE.format(name="dossier.json"))


def dossier_file(dossier: Dossier, form: str, *, signature: bytes) -> bytes:
    """The dossier in one of the formats (``CONTENT_TYPES``); deterministic."""
    match form:
        case "zip":
            return dossier_zip(dossier, signature=signature)
        case "json":
            return dossier.content.encode()
        case "p7s":
            return signature
    return pdf_of(dossier, form.removesuffix(".pdf"))


def dossier_zip(dossier: Dossier, *, signature: bytes) -> bytes:
    """The ZIP of all files; deterministic."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "README.txt", _README.encode())
        _add(archive, "dossier.json", dossier.content.encode())
        _add(archive, "dossier.json.p7s", signature)
        for language in LANGUAGES:
            _add(archive, f"dossier.{language}.pdf", pdf_of(dossier, language))
        for name, part in ((SIGNATURES, "signatures"), (KEYS, "signing_keys")):
            if part in dossier.payload:  # absent in older dossiers
                _add(archive, name, b"".join(map(json_line_of, dossier.payload[part])))
        _add(archive, "verify_bundle.py", VERIFIER.read_bytes())
        for number, file in enumerate(_evidence(dossier), start=1):
            _add(archive, f"evidence/{number:02}-{_safe(file.name)}", bytes(file.content))
    return content.getvalue()


def pdf_of(dossier: Dossier, language: str) -> bytes:
    """The PDF in this language."""
    digest = bytes(dossier.digest).hex()
    return dossier_pdf(dossier.payload, language=language, digest=digest)


def _evidence(dossier: Dossier) -> list[DisputeEvidence]:
    """The evidence files that the dossier lists."""
    known = {file["sha256"] for file in dossier.payload["evidence"]}
    files = evidence_for(dossier.dispute, Dossier.Audience(dossier.audience))
    return [file for file in files if bytes(file.digest).hex() in known]


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _AT)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def _safe(name: str) -> str:
    """A safe file name."""
    return "".join(letter if letter.isalnum() or letter in ".-_" else "_" for letter in name)
