"""`manage.py serve_metrics`: metrics for Prometheus on a port of its own."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector

from casino.operations.metrics.collector import FactsCollector
from casino.operations.metrics.release_collector import ReleaseCollector


class Command(BaseCommand):
    """Runs until it is stopped. Reads only: give it the role ``sabot_reader``."""

    help = "Serves metrics for Prometheus: stored facts, and what the host's processes measured."
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True)
        parser.add_argument(
            "--address", default="127.0.0.1", help="where it listens; 0.0.0.0 for all"
        )
        parser.add_argument(
            "--processes-only",
            action="store_true",
            help="without the stored facts, on hosts other than the first",
        )

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        registry = CollectorRegistry()
        if settings.METRICS_FOLDER:
            MultiProcessCollector(registry, path=settings.METRICS_FOLDER)  # type: ignore[no-untyped-call]
        if not options["processes_only"]:
            registry.register(FactsCollector())
        elif not settings.METRICS_FOLDER:
            raise CommandError("found no METRICS_FOLDER; needed the folder of the processes")
        release = ReleaseCollector()
        release.start()
        registry.register(release)
        port, address = options["port"], options["address"]
        try:
            _server, thread = start_http_server(port, address, registry)
        except OSError as error:
            raise CommandError(f"cannot listen on {address}:{port}: {error}") from error
        self.stdout.write(f"metrics: http://{address}:{port}/metrics")
        self.stdout.flush()
        thread.join()
