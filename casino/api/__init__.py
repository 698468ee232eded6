"""The REST API under ``/api/v1/``, for studios and customer service."""
