"""Models of the back office."""

from casino.backoffice.drafts.models import FormDraft
from casino.backoffice.lists.models import ListFile, ListFilePart, SavedView
from casino.backoffice.spreadsheets.models import ListImport

__all__ = ["FormDraft", "ListFile", "ListFilePart", "ListImport", "SavedView"]
