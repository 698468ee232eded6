"""What browsers may do with what Sabot answers: headers that each response has.

Nothing on a page is inline and nothing is evaluated, so a text that got into a page as markup runs
nothing: scripts and styles are files of our own, and no download has a type that browsers run.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.security import SecurityMiddleware

_OF_PAGES: Final[Mapping[str, str]] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
_OF_OTHERS: Final = "default-src 'none'; frame-ancestors 'none'"
_DENIED: Final = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
    *("magnetometer", "microphone", "midi", "payment", "usb"),
)
_HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _DENIED),
}


def page_policy(**changed: Sequence[str]) -> str:
    """The Content-Security-Policy of a page, with the sources of a view's own.

    ``media_src=[…]`` stands for the directive ``media-src``; no sources mean ``'none'``.
    """
    own = {name.replace("_", "-"): " ".join(to) or "'none'" for name, to in changed.items()}
    return "; ".join(f"{name} {sources}" for name, sources in {**_OF_PAGES, **own}.items())


_POLICY: Final = page_policy()


class PagePolicyMiddleware:
    """Adds the headers, except those that a view has set itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._of_django = SecurityMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response with the headers."""
        response = self._get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        response.headers.setdefault("Content-Security-Policy", _POLICY if is_page else _OF_OTHERS)
        for name, text in _HEADERS.items():
            response.headers.setdefault(name, text)
        if response.headers["Cache-Control"].startswith("public"):
            _vary_by_nobody(response)
        # What it could not add itself where it stands, to a response of any kind.
        self._of_django.process_response(request, response)  # type: ignore[arg-type]
        return response


def _vary_by_nobody(response: HttpResponseBase) -> None:
    """Lets caches keep one copy: what is public is the same in every session and language."""
    names = [name.strip() for name in response.headers.get("Vary", "").split(",")]
    kept = [name for name in names if name not in ("", "Cookie", "Accept-Language")]
    del response.headers["Vary"]
    if kept:
        response.headers["Vary"] = ", ".join(kept)
