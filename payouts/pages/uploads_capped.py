"""No file is received that is larger than one may be."""

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload


class CappedUpload(FileUploadHandler):
    """Drops a file as soon as it has grown too large; the rest of it is read and not kept.

    The page then finds no file, which it can say, where a closed connection could not.
    """

    def new_file(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  Django's signature
        """Each file is counted by itself."""
        super().new_file(*args, **kwargs)
        self._left = settings.FEED_UPLOAD_BYTES

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """The same bytes, as long as there are not too many."""
        self._left -= len(raw_data)
        if self._left < 0:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The handlers behind this one have the file."""
