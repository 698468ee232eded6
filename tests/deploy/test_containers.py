"""The compose file and the Kubernetes manifests of ``deploy/`` run what its units run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import kubernetes_validate  # type: ignore[import-untyped]  # no stubs
import pytest
import yaml

from casino.embedded.server_paths import CLONE

_DEPLOY: Final = CLONE / "deploy"
_MANIFESTS: Final = sorted((_DEPLOY / "kubernetes").glob("*.yaml"))
_VERSIONS: Final = ("1.29", kubernetes_validate.latest_version())
_SIZES: Final = "workers|threads|concurrency|bind|address|port|schedule"
_SANDBOX_RESET: Final = "sabot-sandbox-reset.service"
_PROGRAMS: Final = ("celery", "gunicorn", "sabot-manage")


def documents(manifest: Path) -> list[dict[str, Any]]:
    """The objects of a manifest."""
    return list(yaml.safe_load_all(manifest.read_text()))


def pods() -> Iterator[dict[str, Any]]:
    """The specification of the pods of every object that makes some."""
    for manifest in _MANIFESTS:
        for document in documents(manifest):
            if "template" in document["spec"]:
                yield document["spec"]["template"]["spec"]


def calls(text: str) -> list[str]:
    """The commands of Sabot in a shell's text, without what says how many and where."""
    ours = rf"(?:{'|'.join(_PROGRAMS)}) [^&\n]+"
    plain = re.sub(r" +\\\n +", " ", text.replace("/opt/sabot/bin/", "").replace("%%", "%"))
    return [essence(shlex.split(found)) for found in re.findall(ours, plain)]


def essence(words: list[str]) -> str:
    """A command without its numbers, addresses and paths."""
    equal = " ".join(word.replace("=", " ") if word.startswith("--") else word for word in words)
    return re.sub(rf" --(?:{_SIZES}) \S+| --processes-only| --clear", "", equal)


@pytest.fixture(scope="module")
def commands_of_units() -> set[str]:
    """What systemd runs in a casino. Static files are in the image already."""
    units = set((_DEPLOY / "systemd").glob("*.service")) - {_DEPLOY / "systemd" / _SANDBOX_RESET}
    found = {call for unit in units for call in calls(unit.read_text())}
    return found - {"sabot-manage collectstatic --no-input"}


@pytest.mark.parametrize("version", _VERSIONS)
@pytest.mark.parametrize("manifest", _MANIFESTS, ids=lambda path: path.name)
def test_manifests_fit_the_schema_of_kubernetes(manifest: Path, version: str) -> None:
    """Strictly: without fields that Kubernetes does not know."""
    for document in documents(manifest):
        kubernetes_validate.validate(document, version, strict=True)


def test_pods_run_what_the_units_run(commands_of_units: set[str]) -> None:
    """Every process, and the steps of a release."""
    run: set[str] = set()
    for pod in pods():
        for container in pod["containers"]:
            words = container["command"]
            run.update(calls(words[2]) if words[0] == "sh" else [essence(words)])

    assert run == commands_of_units


def test_compose_runs_what_the_units_run(commands_of_units: set[str]) -> None:
    """Every process, and the steps of a release."""
    composed = yaml.safe_load((_DEPLOY / "containers" / "compose.yaml").read_text())
    run: set[str] = set()
    for service in composed["services"].values():
        command = service["command"]
        run.update(calls(command if isinstance(command, str) else command[2]))
        for file in service["env_file"]:
            assert (_DEPLOY / "containers" / file).is_file()

    assert run == commands_of_units


def test_no_container_may_do_more_than_it_needs() -> None:
    """No account of root, capability, writable image or token of the cluster."""
    containers = 0
    for pod in pods():
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            containers += 1
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert "memory" in container["resources"]["limits"]

    assert containers >= len(list(pods()))


def test_a_pod_has_the_secrets_of_its_own_role_only() -> None:
    """Of the environment files: ``common`` and one other."""
    files = {path.stem for path in (_DEPLOY / "environment").glob("*.env")}
    used: set[str] = set()
    for pod in pods():
        for container in pod["containers"]:
            names = [
                source["secretRef"]["name"].removeprefix("sabot-")
                for source in container["envFrom"]
            ]
            assert len(names) == 2
            assert names[0] == "common"
            used.update(names)

    assert used == files
