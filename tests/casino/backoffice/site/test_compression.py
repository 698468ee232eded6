"""Pages are compressed, and nothing else is."""

import gzip
from typing import Final

from django.http import FileResponse, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import Client, RequestFactory

from casino.backoffice.site.compression import CompressedPages

_GZIP: Final = {"accept-encoding": "gzip"}
_PAGE: Final = "<p>round</p>" * 100


def sent(response: HttpResponseBase) -> HttpResponseBase:
    """The response as a browser that reads gzip gets it."""
    request = RequestFactory().get("/", headers=_GZIP)
    return CompressedPages(lambda _request: response).process_response(request, response)


class TestAPage:
    def test_is_compressed(self, supervisor: Client) -> None:
        """To less than a quarter, and readable."""
        plain = supervisor.get("/admin/security/").content
        answer = supervisor.get("/admin/security/", headers=_GZIP)

        assert answer.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert len(answer.content) * 4 < len(plain)
        assert b"<main" in gzip.decompress(answer.content)

    def test_is_sent_as_it_is_to_a_browser_that_cannot_read_gzip(self, supervisor: Client) -> None:
        """Without ``Accept-Encoding``."""
        assert "Content-Encoding" not in supervisor.get("/admin/security/").headers

    def test_differs_in_length_from_time_to_time(self) -> None:
        """Random bytes hide from BREACH whether a guess repeats what the page has."""
        lengths = {sent(HttpResponse(_PAGE)).headers["Content-Length"] for _time in range(50)}

        assert len(lengths) > 5


class TestOtherAnswers:
    def test_are_sent_as_they_are(self) -> None:
        """Files, streams and JSON: their length and their pace are the sender's."""
        kept = [
            HttpResponse(_PAGE, content_type="application/json"),
            FileResponse([_PAGE.encode()], content_type="application/zip"),
            StreamingHttpResponse([_PAGE], content_type="application/x-ndjson"),
            StreamingHttpResponse([_PAGE], content_type="text/html"),
        ]

        assert ["Content-Encoding" in sent(answer).headers for answer in kept] == [False] * 4
        assert "Content-Encoding" in sent(HttpResponse(_PAGE)).headers
