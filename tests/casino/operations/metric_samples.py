"""Metrics as Prometheus reads them."""

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from casino.operations.metrics.collector import FactsCollector

Values = dict[str, float]
"""Samples by name and labels."""


def facts_now() -> Values:
    """The samples, read anew."""
    registry = CollectorRegistry()
    registry.register(FactsCollector(keep_seconds=0))
    return samples(generate_latest(registry).decode())


def samples(text: str) -> Values:
    """The value of each sample by its name and labels, as Prometheus reads the text."""
    return {
        sample.name
        + "".join(f" {label}={value}" for label, value in sorted(sample.labels.items())): (
            sample.value
        )
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
