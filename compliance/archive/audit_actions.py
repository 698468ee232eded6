"""The audit actions that this package records, with their labels."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "ARCHIVE_WRITTEN": gettext_lazy("Month archived"),
    "ARCHIVE_QUERIED": gettext_lazy("Archive queried"),
    "ARCHIVE_REJUDGED": gettext_lazy("Archived rounds evaluated again"),
    "MONTH_DETACHED": gettext_lazy("Month detached from the database"),
    "MONTH_RESTORED": gettext_lazy("Month restored from its archive"),
}
