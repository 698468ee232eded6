"""Alert rules and dashboard: they name metrics that there are, and rules fire when they should."""

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any, Final

import pytest
import yaml

from casino.embedded.server_paths import CLONE
from casino.operations.metrics import measures
from compliance.storage.database_roles.role import ROLES, role_name
from tests.casino.operations.test_metrics import (
    OF_REPLICA,
    OF_SIEM,
    OF_THE_HOST,
    OF_WITNESSES,
    STORED,
)

PROMETHEUS: Final = CLONE / "deploy" / "prometheus"
DASHBOARD: Final = CLONE / "deploy" / "grafana" / "sabot.json"
DOCUMENTATION: Final = CLONE / "docs" / "administrator" / "observability.md"
OPERATIONS: Final = CLONE / "docs" / "operations.md"
ALERT: Final = re.compile(r"`(Sabot\w+)`")
NAME: Final = re.compile(r"\bsabot_\w+")
ENDINGS: Final = ("_total", "_bucket", "_sum", "_count")


def exported() -> set[str]:
    """The names of all metrics, without endings. Those of stored facts are proved by their test."""
    measured = (measures.REQUESTS, measures.BATCH_SECONDS, measures.BATCH_ROUNDS, measures.HELD)
    return (
        STORED
        | OF_REPLICA
        | OF_SIEM
        | OF_WITNESSES
        | OF_THE_HOST
        | {family.name for measure in measured for family in measure.describe()}
    )


def named_in(text: str) -> set[str]:
    """The metrics that a text names, without endings."""
    return {_without_ending(name) for name in NAME.findall(text)}


def rules() -> dict[str, dict[str, Any]]:
    """The alert rules by name."""
    groups = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def panels() -> Iterator[dict[str, Any]]:
    """The panels of the dashboard."""
    yield from json.loads(DASHBOARD.read_text())["panels"]


class TestNames:
    def test_of_the_rules_are_exported(self) -> None:
        """A rule on a name that nobody exports would be silent for ever."""
        named = named_in(" ".join(rule["expr"] for rule in rules().values()))

        assert len(named) > 10
        assert named - exported() == set()

    def test_of_the_dashboard_are_exported(self) -> None:
        """And everything that is exported is shown."""
        queries = [target["expr"] for panel in panels() for target in panel["targets"]]

        assert named_in(" ".join(queries)) == exported()

    def test_are_documented(self) -> None:
        """Metrics and alerts, each."""
        text = DOCUMENTATION.read_text()
        roles = set(map(role_name, ROLES))

        assert named_in(text) - roles == exported()
        assert [alert for alert in rules() if f"`{alert}`" not in text] == []

    def test_of_losses_are_rules(self) -> None:
        """Each loss in the table of operations.md has an alert, or says why it has none."""
        table = OPERATIONS.read_text().partition("| lost | effect | alert | recovery |")[2]
        alerts = [line.split("|")[3].strip() for line in table.split("\n\n")[0].splitlines()[2:]]
        named = {name for cell in alerts for name in ALERT.findall(cell)}

        assert len(alerts) >= 10
        assert all(ALERT.search(cell) or cell.startswith("none: ") for cell in alerts), alerts
        assert named <= rules().keys()


class TestRules:
    def test_have_a_severity_and_a_summary(self) -> None:
        """Two severities: somebody is called, or somebody looks in working hours."""
        severities = {rule["labels"]["severity"] for rule in rules().values()}

        assert severities == {"critical", "warning"}
        assert all(rule["annotations"]["summary"] for rule in rules().values())

    def test_have_both_tests(self) -> None:
        """One value at which a rule is silent, one at which it fires."""
        tests = yaml.safe_load((PROMETHEUS / "alerts.test.yml").read_text())["tests"]
        proved = sorted(
            (case["alertname"], bool(case["exp_alerts"]))
            for test in tests
            for case in test["alert_rule_test"]
        )

        assert proved == sorted((name, fires) for name in rules() for fires in (False, True))

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "arguments",
        [
            ("check", "config", "prometheus.yml"),
            ("check", "rules", "alerts.yml"),
            ("test", "rules", "alerts.test.yml"),
        ],
    )
    def test_hold_in_prometheus(self, arguments: tuple[str, ...]) -> None:
        """By its own program, promtool (Debian: prometheus)."""
        done = subprocess.run(
            ["promtool", *arguments],  # noqa: S607  the one of the path
            cwd=PROMETHEUS,
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 0, done.stdout + done.stderr


class TestTheDashboard:
    def test_has_panels_that_do_not_overlap(self) -> None:
        """Each with a title, a query and a place of its own in a grid of 24."""
        taken: set[tuple[int, int]] = set()
        for panel in panels():
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert panel["title"]
            assert panel["targets"]
            assert max(x for x, _y in cells) < 24
            assert not cells & taken, panel["title"]
            taken |= cells

    def test_asks_the_data_source_that_is_chosen(self) -> None:
        """It fits every Grafana."""
        used = {panel["datasource"]["uid"] for panel in panels()}

        assert used == {"${datasource}"}


def _without_ending(name: str) -> str:
    for ending in ENDINGS:
        if name.removesuffix(ending) in exported():
            return name.removesuffix(ending)
    return name
