"""Evidence is uploaded, checked by content, and downloaded byte for byte."""

import hashlib

import pytest
from django.http import HttpResponse

from casino.api.disputes.quotas import MOST_FILES
from payouts.disputes.models import Dispute, DisputeEvidence
from payouts.evidence import MOST_BYTES
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, PDF, PNG, hand_in, service
from tests.payouts.disputes.dispute_scenarios import disputed, play

pytestmark = pytest.mark.django_db
_BOUNDARY = "of-this-test"
_FORM = f"multipart/form-data; boundary={_BOUNDARY}"


@pytest.fixture
def dispute() -> Dispute:
    """An open dispute."""
    play()
    return disputed()


def form(*parts: tuple[str, str, bytes]) -> bytes:
    """A multipart body of (name, file name, content); the file name is None for plain fields."""
    body = b""
    for name, file, content in parts:
        named = f'; filename="{file}"' if file else ""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'
        body += head.encode() + content + b"\r\n"
    return body + f"--{_BOUNDARY}--\r\n".encode()


def send(program: Program, dispute: Dispute, body: bytes, path: str = "") -> HttpResponse:
    """Sends a multipart form."""
    return program.post(f"{DISPUTES}/{dispute}/evidence{path}", body, Content_Type=_FORM)


class TestAFile:
    @pytest.mark.parametrize(
        ("name", "status"),
        [
            ("a.pdf", 201),
            ("A.PDF", 201),
            ("a", 201),
            ("a.exe", 422),
            ("a.png", 422),
            ("a.pdf.js", 422),
        ],
    )
    def test_is_called_what_it_is(self, dispute: Dispute, name: str, status: int) -> None:
        """A name that promises something else is refused (OWASP ASVS 5, 5.2.2)."""
        answer = hand_in(service(), str(dispute), PDF, name=name)

        assert answer.status_code == status
        assert DisputeEvidence.objects.count() == (status == 201)
        if status == 422:
            [error] = json_of(answer)["errors"]
            assert error["found"] == f"{name}: a name that ends in {name[name.rindex('.') :]}"

    @pytest.mark.parametrize("way", ["body", "form"])
    def test_is_stored_and_downloaded(self, dispute: Dispute, way: str) -> None:
        """As raw body or multipart; downloads are sandboxed."""
        program = service()

        if way == "body":
            answer = hand_in(program, str(dispute), PNG, name="screen.png", media_type="image/png")
        else:
            answer = send(program, dispute, form(("file", "screen.png", PNG)))
        download = program.get(answer.headers["Location"], Accept="image/png")

        stored, digest = json_of(answer), hashlib.sha256(PNG).hexdigest()
        assert answer.status_code == 201
        assert (stored["sha256"], stored["name"], stored["bytes"]) == (
            digest,
            "screen.png",
            len(PNG),
        )
        assert stored["content_type"] == download.headers["Content-Type"] == "image/png"
        assert download.content == PNG
        assert download.headers["X-Content-Type-Options"] == "nosniff"
        assert download.headers["Content-Disposition"].startswith("attachment; filename=")

    def test_has_the_media_type_of_its_content(self, dispute: Dispute) -> None:
        """The media type is detected from the content."""
        answer = hand_in(service(), str(dispute), PDF, name="screen", media_type="image/png")

        assert json_of(answer)["content_type"] == "application/pdf"

    def test_is_stored_once_for_repeated_calls(self, dispute: Dispute) -> None:
        """The same Idempotency-Key stores one file."""
        program = service()

        first, again = (hand_in(program, str(dispute), once="file-1") for _ in range(2))

        assert first.content == again.content
        assert DisputeEvidence.objects.count() == 1

    def test_of_a_form_is_the_same_with_another_boundary(self, dispute: Dispute) -> None:
        """The boundary is not part of the comparison; another file is refused."""
        program, body = service(), form(("file", "a.pdf", PDF))
        path = f"{DISPUTES}/{dispute}/evidence"
        other = {"Content_Type": _FORM.replace(_BOUNDARY, "another")}
        same_content, changed = (
            part.replace(_BOUNDARY.encode(), b"another")
            for part in (body, form(("file", "a.pdf", PDF + b"x")))
        )

        first = program.post(path, body, once="file-1", Content_Type=_FORM)
        again = program.post(path, same_content, once="file-1", **other)
        refused = program.post(path, changed, once="file-1", **other)

        assert first.content == again.content
        assert slug_of(refused) == "idempotency-key-reused"
        assert DisputeEvidence.objects.count() == 1

    @pytest.mark.parametrize(
        ("content", "status", "field"),
        [
            (b"MZ", 422, "/file"),
            (PDF + b" " * (MOST_BYTES - len(PDF) + 1), 422, "/file"),
            (b" " * (MOST_BYTES + (1 << 16) + 1), 413, "header:Content-Length"),
        ],
    )
    def test_of_another_type_or_size_is_refused(
        self, dispute: Dispute, content: bytes, status: int, field: str
    ) -> None:
        """Executables and files over 10 MB are refused."""
        answer = hand_in(service(), str(dispute), content)

        assert answer.status_code == status
        assert json_of(answer)["errors"][0]["field"] == field
        assert not DisputeEvidence.objects.exists()

    @pytest.mark.parametrize(
        "parts",
        [
            [],
            [("file", "", PDF)],
            [("other", "a.pdf", PDF)],
            [("file", "a.pdf", PDF), ("file", "b.pdf", PDF)],
            [("file", "a.exe", b"MZ")],
            [("file", "empty.pdf", b"")],
        ],
    )
    def test_is_the_only_part_of_its_form(
        self, dispute: Dispute, parts: list[tuple[str, str, bytes]]
    ) -> None:
        """The form needs exactly one part called file."""
        answer = send(service(), dispute, form(*parts))

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert json_of(answer)["errors"][0]["field"] == "/file"

    @pytest.mark.parametrize(
        ("query", "field"),
        [("", "query:name"), ("?name=%07", "query:name"), ("?title=a", "query:title")],
    )
    def test_that_is_the_body_has_a_name(self, dispute: Dispute, query: str, field: str) -> None:
        """A raw body needs the query parameter name."""
        path = f"{DISPUTES}/{dispute}/evidence{query}"

        answer = service().post(path, PDF, Content_Type="application/pdf")

        assert (answer.status_code, json_of(answer)["errors"][0]["field"]) == (422, field)

    @pytest.mark.parametrize(
        ("body", "media_type", "slug"),
        [
            (PDF, "text/plain", "unsupported-media-type"),
            ({"file": "x"}, "application/json", "unsupported-media-type"),
            (b"--", "multipart/form-data", "malformed"),
            (form(*[(f"f{n}", "a", b"x") for n in range(200)]), _FORM, "malformed"),
        ],
    )
    def test_needs_a_supported_media_type(
        self, dispute: Dispute, body: object, media_type: str, slug: str
    ) -> None:
        """Multipart with few parts, or one of three media types."""
        path = f"{DISPUTES}/{dispute}/evidence?name=a.pdf"

        answer = service().post(path.partition("?")[0], body, Content_Type=media_type)

        assert slug_of(answer) == slug

    @pytest.mark.slow
    def test_is_refused_beyond_the_limit(self, dispute: Dispute) -> None:
        """Programs may add a limited number of files per dispute."""
        program = service()
        for number in range(MOST_FILES):
            assert hand_in(program, str(dispute), PDF + bytes([number])).status_code == 201

        answer = hand_in(program, str(dispute))

        assert (answer.status_code, slug_of(answer)) == (409, "evidence-full")
        assert DisputeEvidence.objects.count() == MOST_FILES


class TestTheFilesOfADispute:
    def test_are_listed_page_by_page(self, dispute: Dispute) -> None:
        """In the order of arrival."""
        program, path = service(), f"{DISPUTES}/{dispute}/evidence"
        for name in ("a", "b", "c"):
            hand_in(program, str(dispute), PDF + name.encode(), name=f"{name}.pdf")

        first = json_of(program.get(f"{path}?limit=2"))
        rest = json_of(program.get(f"{path}?limit=2&cursor={first['next']}"))

        names = [file["name"] for file in (*first["data"], *rest["data"])]
        assert (names, rest["next"]) == (["a.pdf", "b.pdf", "c.pdf"], None)

    @pytest.mark.parametrize("digest", ["0" * 64, "x", "%0A", "00%0A00"])
    def test_are_found_by_their_digest_alone(self, dispute: Dispute, digest: str) -> None:
        """Unknown digests are answered 404."""
        hand_in(service(), str(dispute))

        answer = service().get(f"{DISPUTES}/{dispute}/evidence/{digest}")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
