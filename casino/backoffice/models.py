"""Models of the back office."""

from casino.backoffice.drafts.models import FormDraft
from casino.backoffice.lists.models import SavedView
from casino.backoffice.spreadsheets.models import ListImport

__all__ = ["FormDraft", "ListImport", "SavedView"]
