"""What operators see: the drain file, metrics, traces and logs."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from casino.settings.environment import env

# Made before a web host stops, so that the proxy has taken it away by then.
DRAIN_FILE = env.str("DRAIN_FILE", default="")

# Where processes write what they measure (casino/operations/metrics). The client library reads it
# from the environment when it is imported, which is later.
METRICS_FOLDER = env.str("METRICS_FOLDER", default="")
if METRICS_FOLDER:
    Path(METRICS_FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER

TRACES = bool(env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default=""))
# OpenTelemetry reads both itself, and prefers the one of traces.
TRACES_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", default="") or env.str(
    "OTEL_EXPORTER_OTLP_ENDPOINT", default=""
)

LOG_FORMAT = env.str("LOG_FORMAT", default="plain")
if LOG_FORMAT not in {"plain", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT: found {LOG_FORMAT}; needed plain or json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "casino.operations.json_logs.formatter"},
    },
    "filters": {"refusals": {"()": "casino.operations.traceback_filter.WithoutTraceback"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["refusals"],
        }
    },
    # It logs every step of every login, and its warnings name the account and the address.
    "loggers": {"axes": {"level": "ERROR" if LOG_FORMAT == "json" else "WARNING"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
}
