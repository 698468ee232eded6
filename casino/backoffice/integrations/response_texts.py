"""What a webhook's receiver answered, in the language of the reader.

Delivery stores it in English, the language of the API. Errors of the network keep the words of the
operating system.
"""

from typing import Final

from django.utils.translation import gettext_noop as _

from casino.backoffice.site.stored_texts import StoredTexts

_TEXTS: Final = StoredTexts(
    (
        _("answered %(status)s; redirects are not followed"),
        _("answered %(status)s"),
        _("no answer within %(seconds)s seconds"),
        _("the host is at %(address)s, which is no public address"),
    )
)


def translate_response(error: str) -> str:
    """The error of a delivery in the active language."""
    return _TEXTS.translate(error)
