"""Messages about decisions on studio keys and signatures."""

from typing import Final

from django.utils.translation import gettext as _

from casino.backoffice.site.actions import conflict_message
from compliance.trail.steps import PersonRequired, StaleState
from rounds.field_errors import InvalidField
from rounds.services.studio_keys import SecondPersonRequired

ERRORS: Final = (StaleState, SecondPersonRequired, PersonRequired, InvalidField)
"""The expected errors of the services."""


def error_message(error: Exception) -> str:
    """The message for an expected error."""
    match error:
        case StaleState(latest=latest) if latest is not None:
            return conflict_message(error)
        case SecondPersonRequired():
            return _("You proposed this. Another person must approve it.")
        case InvalidField():
            return _("Found %(found)s; expected %(needed)s") % {
                "found": error.found,
                "needed": error.needed,
            }
    return str(error)
