"""Compression of pages.

Downloads and the API's streams stay as they are: their lengths, ranges and digests are those of the
file, and a compressed stream would be held back until its buffer is full.
"""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressedPages(GZipMiddleware):
    """Compresses HTML, and nothing else.

    A page has secrets of its reader beside text of the request, which BREACH guesses by length.
    Django masks the CSRF token anew in each page and adds up to 100 random bytes to each; the
    session's cookie is ``SameSite=Lax``, so another site gets no page of a reader in bulk.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The response, compressed if it is a page and the browser can read it."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.streaming or not is_page:
            return response
        return super().process_response(request, response)
