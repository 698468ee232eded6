"""Models of the back office."""

from casino.backoffice.spreadsheets.models import ListImport

__all__ = ["ListImport"]
