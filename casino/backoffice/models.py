"""Models of the back office."""

from casino.backoffice.lists.models import SavedView
from casino.backoffice.spreadsheets.models import ListImport

__all__ = ["ListImport", "SavedView"]
