"""The forms that import and export lists, for tests."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client


def send(client: Client, kind: str, content: bytes, name: str = "list.csv") -> bytes:
    """Uploads a file; returns the page of its dry run, or the form with its errors."""
    file = SimpleUploadedFile(name, content)
    page: bytes = client.post(f"/admin/lists/{kind}/import/", {"file": file}, follow=True).content
    return page
