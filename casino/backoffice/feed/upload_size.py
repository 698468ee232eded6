"""The size limit of uploads."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload


class CappedUpload(FileUploadHandler):
    """Discard a file as soon as it exceeds the limit, and read the rest without storing it.

    The page can then show an error, which a closed connection could not.
    """

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Start counting for each file."""
        super().new_file(*args, **kwargs)
        self._left = settings.FEED_UPLOAD_BYTES

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """The same bytes, up to the limit."""
        self._left -= len(raw_data)
        if self._left < 0:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Left to the following handlers."""
