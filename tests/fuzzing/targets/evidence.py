"""Files that customers attach: typed by their first bytes, as the body itself or in a form."""

import hashlib
from typing import Final

from django.test import RequestFactory
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from casino.api.disputes.evidence import DisputeEvidenceView, _file_in_body, _file_in_form
from casino.api.query_params import QueryParams
from payouts.evidence import EVIDENCE_TYPES, File, InvalidEvidence, accepted_type
from tests.fuzzing.target import Target
from tests.fuzzing.targets.api_bodies import check_refusal

_requests: Final = RequestFactory()
_FORM: Final = "multipart/form-data; boundary=x"


def check(data: bytes) -> None:
    """The file is stored byte for byte under a name that can be stored, or refused."""
    form = _requests.post("/api/v1/x", data, content_type=_FORM)
    request = Request(form, parsers=[MultiPartParser()])
    try:
        _check_file(_file_in_form(request))
    except Exception as error:
        check_refusal(error, request)
    _check_body(data)


def _check_body(data: bytes) -> None:
    """The first line is the query, the rest the file."""
    query, _end, content = data.partition(b"\n")
    text = query.decode("latin-1").replace("\r", "").replace("\0", "")
    body = _requests.post("/api/v1/x", content, content_type="image/png", QUERY_STRING=text)
    request = Request(body, parsers=[parser() for parser in DisputeEvidenceView.parser_classes])
    try:
        file = _file_in_body(request, QueryParams(request, ("name",)))
    except Exception as error:
        check_refusal(error, request)
        return
    assert file.content == content
    _check_file(file)


def _check_file(file: File) -> None:
    assert "\0" not in file.name
    file.name.encode()
    try:
        kind = accepted_type(file)
    except InvalidEvidence as error:
        assert error.found
        assert error.needed
        return
    assert file.content.startswith(EVIDENCE_TYPES[kind])
    hashlib.sha256(file.content).digest()


def seeds() -> list[bytes]:
    """Each kind of file, in both ways."""
    files = [beginning + b"rest" for beginning in EVIDENCE_TYPES.values()]
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
    coded = head.replace(b'filename="a.png"', b"filename*=UTF-8''%e2%82%ac%00.png")
    base64 = head + b"Content-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--x--\r\n"
    return [
        *(b"name=a.png\n" + file for file in files),
        *(head + b"Content-Type: image/png\r\n\r\n" + file + b"\r\n--x--\r\n" for file in files),
        *(coded + b"\r\n" + files[1] + b"\r\n--x--\r\n", base64),
        b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nwords\r\n--x--\r\n',
    ]


TARGET = Target(check, seeds, longest=2048)
