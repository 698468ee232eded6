"""The language of API messages."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def activate_language(request: HttpRequest) -> None:
    """Activates the first supported language of Accept-Language; English by default."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    codes = [tag.partition("-")[0] for tag, _weight in accepted]
    supported = dict(settings.LANGUAGES)
    translation.activate(next((code for code in codes if code in supported), "en"))
