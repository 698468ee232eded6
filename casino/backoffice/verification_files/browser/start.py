"""The entry point for the page's script: Django's templates and texts, without a database."""

import json
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import TZPATH, reset_tzpath

from django.apps import apps
from django.conf import settings
from django.template import Context, Engine
from django.utils.translation import override

from casino.backoffice.verification_files.browser.checks import Judged, check_file
from casino.backoffice.verification_files.browser.proof_checks import State

if TYPE_CHECKING:
    from casino.backoffice.verification_files.browser import bundles

_ROOT: Final = Path(__file__).parents[4]
FILES: Final = "/files"
"""Where the page's script puts the files of a request."""
_MOST_LISTED: Final = 100
_NO_FILE: Final = "{}"
"""What the page has in the place of a file."""
_LIBRARIES: Final = {
    "sabot": "casino.backoffice.templatetags.display",
    "i18n": "django.templatetags.i18n",
    "l10n": "django.templatetags.l10n",
}


def start() -> None:
    """Configures Django; once, before ``show``."""
    settings.configure(
        USE_TZ=True,
        TIME_ZONE="Europe/Rome",
        LANGUAGE_CODE="it",
        LANGUAGES=[("it", "Italiano"), ("en", "English")],
        LOCALE_PATHS=[_ROOT / "templates" / "locale"],
    )
    apps.populate([])
    reset_tzpath([_ROOT / "zoneinfo", *TZPATH])


def show(text: str, *, language: str, known: str) -> str:
    """What was found in a file, or in a feed, as HTML in ``it`` or ``en``.

    ``known`` is what the reader entered: the key or the policy of the log, or a round of the feed.
    """
    from casino.backoffice.verification_files.browser import (  # noqa: PLC0415  after start
        feeds,
        show_round,
    )

    with override(language):
        try:
            if text.strip() == _NO_FILE:
                context, judged, template = {}, None, "nothing"
            elif feeds.is_feed(text):
                name = known.strip()
                context, judged = feeds.feed_context(text, name=name), feeds.round_in(text, name)
                template = "feed"
            else:
                context, judged = _checked(text, known)
                template = "result"
            if judged is not None:
                context |= show_round.round_context(judged)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            return _render("unreadable", {"error": f"{type(error).__name__}: {error}"})
        return _render(template, context)


def verify(request: str, say: "bundles.Say", count: "bundles.Count") -> "bundles.Report":
    """Verifies the files of a request, which are in the folder of files; once ``show`` is ready."""
    from casino.backoffice.verification_files.browser import bundles  # noqa: PLC0415  after start

    wanted = json.loads(request)
    with TemporaryDirectory() as scratch, chdir(FILES):
        return bundles.verify(
            wanted["files"],
            wanted["feeds"],
            bundles.Entered(**wanted["entered"]),
            scratch=Path(scratch),
            say=say,
            count=count,
        )


def show_report(request: str, report: "bundles.Report | None", *, language: str) -> str:
    """The files of a request, what is known of them, and the report, if there is one yet."""
    with override(language):
        return _render("bundle", {**json.loads(request), "report": report, "most": _MOST_LISTED})


def _checked(text: str, known: str) -> tuple[dict[str, Any], Judged | None]:
    file = json.loads(text)
    checked = check_file(file, known=known)
    states = [check.state for check in checked.checks]
    context = {
        "file": file,
        "known": known,
        "checks": [(check.state.value, check.text) for check in checked.checks],
        "differs": states.count(State.DIFFERS),
        "unproved": states.count(State.UNPROVED),
    }
    return context, checked.judged


def _render(template: str, context: dict[str, object]) -> str:
    engine = Engine(dirs=[str(_ROOT / "templates")], libraries=_LIBRARIES)
    page = engine.get_template(f"backoffice/verification_files/{template}.html")
    return page.render(Context(context))
