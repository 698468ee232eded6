"""Messages for errors of access changes."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.access import requests as errors

_MESSAGES: Final[dict[type[errors.AccessError], str | Promise]] = {
    errors.OwnAccess: _("You cannot change your own access. Contact another administrator."),
    errors.SamePerson: _(
        "Another administrator must decide, not the requester or the person concerned."
    ),
    errors.AlreadyRequested: _("A request for this person is already pending."),
    errors.AlreadyDecided: _("This request has already been decided."),
    errors.StaleAccessRequest: _(
        "The access of the person or of the requester has changed. Reject this request."
    ),
    errors.RequestNotSigned: _(
        "The requester did not sign this request. Reject it, and find out who wrote it."
    ),
    errors.RolesApart: _(
        "An administrator cannot also have the role supervisor, payments or compliance."
    ),
    errors.NothingToChange: _("No changes to save."),
}


def access_error_message(error: errors.AccessError) -> str:
    """The message for an error."""
    return str(_MESSAGES[type(error)])
