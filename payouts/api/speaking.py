"""The language of what programs are told in words."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def speak(request: HttpRequest) -> None:
    """Words of problems are English, unless the program asks for another language."""
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    known = [tag.partition("-")[0] for tag, _weight in asked]
    offered = dict(settings.LANGUAGES)
    translation.activate(next((tag for tag in known if tag in offered), "en"))
