"""The REST API under ``/api/v1/``: for programs of studios and of customer service."""
