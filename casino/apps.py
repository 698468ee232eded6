"""The composition as a Django application."""

from django.apps import AppConfig


class CasinoConfig(AppConfig):
    """Ties the applications together once all of them are there."""

    name = "casino"

    def ready(self) -> None:
        """Connects what listens to Celery."""
        from casino import failing_tasks  # noqa: PLC0415  its models exist from now on

        failing_tasks.listen()
