"""Names of the programs that appear as actors, in the language of the page."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

_PROGRAMS: Final[dict[str, str | Promise]] = {
    "API": gettext_lazy("API"),
    "audit log": gettext_lazy("audit log"),
    "demo": gettext_lazy("demo"),
    "dispute follow-up": gettext_lazy("dispute follow-up"),
    "dossier": gettext_lazy("dossier"),
    "ingest": gettext_lazy("feed import"),
    "nightly closing": gettext_lazy("nightly closing"),
    "nightly comparison of the schema": gettext_lazy("nightly comparison of the schema"),
    "nightly export": gettext_lazy("nightly export"),
    "nightly reconciliation": gettext_lazy("nightly reconciliation"),
    "release": gettext_lazy("software release"),
    "not logged in": gettext_lazy("not logged in"),
    "settlement worker": gettext_lazy("settlement worker"),
    "starting worker": gettext_lazy("starting worker"),
    "table monitor": gettext_lazy("table monitor"),
    "webhooks": gettext_lazy("webhooks"),
}


def actor_label(name: str) -> str:
    """A program's name in the active language; a person's or a command's as it is."""
    return str(_PROGRAMS.get(name, name))
