"""``/log/``: the audit log as anybody may follow it (C2SP tlog-tiles): its checkpoint and hashes.

They say how many records there are, and nothing about any of them. Both are there once the log has
an origin (``LOG_ORIGIN``).
"""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.log.tiles import Tile, hashes_of, last_checkpoint

_ALL_ORIGINS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_SHORTLY: Final = {**_ALL_ORIGINS, "Cache-Control": "public, max-age=1"}
_FOR_EVER: Final = {**_ALL_ORIGINS, "Cache-Control": "public, max-age=31536000, immutable"}


@require_safe
def show_checkpoint(_request: HttpRequest) -> HttpResponse:
    """The latest signed head."""
    try:
        text = last_checkpoint()
    except NotInLog as error:
        raise Http404 from error
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=_SHORTLY)


@require_safe
def show_tile(_request: HttpRequest, tile: Tile) -> HttpResponse:
    """A tile; while it is not full, as many of its hashes as are named."""
    try:
        hashes = hashes_of(tile)
    except NotInLog as error:
        raise Http404 from error
    return HttpResponse(hashes, content_type="application/octet-stream", headers=_FOR_EVER)
