"""The composition as a Django application."""

from django.apps import AppConfig

from casino.workers.garbage_collection import freeze_loaded_code


class CasinoConfig(AppConfig):
    """Connects the applications to Celery once all of them are loaded."""

    name = "casino"

    def ready(self) -> None:
        """Connects the receivers of Celery's signals, and of what is measured and logged."""
        from django.conf import settings

        from casino.access.directory.groups import directory_groups
        from casino.operations import integrity_at_start, safe_start
        from casino.workers import task_failures

        directory_groups()  # else a mistake in DIRECTORY_ROLES is found when the directory calls
        safe_start.listen()
        task_failures.listen()
        integrity_at_start.listen()
        if settings.METRICS_FOLDER:
            from casino.operations.metrics import measures

            measures.listen()
        if settings.TRACES:
            from casino.operations import send_traces

            send_traces.listen()
        if settings.LOG_FORMAT == "json":
            from casino.workers import logged_tasks

            logged_tasks.listen()
        freeze_loaded_code()
