"""The bill of materials (CycloneDX 1.6, JSON): all packages, their licences, and who needs whom."""

from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.release.licences import licence_of
from deploy.release.pins import versions_in

_LICENCE: Final = "Apache-2.0"


def sbom_of(version: str, lock: Path, *, made_at: int) -> str:
    """The document of a release, the same octets for the same ``made_at`` (seconds since 1970).

    It names every package of the lock, on whichever Python it is needed.
    """
    versions = versions_in(lock)
    sabot = _component("sabot", version, _LICENCE, ComponentType.APPLICATION)
    packages = {
        name: _component(name, pinned, licence_of(name), ComponentType.LIBRARY)
        for name, pinned in versions.items()
    }
    bom = Bom(
        serial_number=uuid5(NAMESPACE_URL, f"sabot {version} {made_at} {lock.read_text()}"),
        metadata=BomMetaData(component=sabot, timestamp=datetime.fromtimestamp(made_at, UTC)),
        components=packages.values(),
    )
    direct = versions_in(lock.with_suffix(".txt"))
    bom.register_dependency(sabot, [packages[name] for name in direct])
    for name, package in packages.items():
        bom.register_dependency(package, [packages[other] for other in _needed_by(name, packages)])
    return str(JsonV1Dot6(bom).output_as_string(indent=1)) + "\n"


def _component(name: str, version: str, licence: str, kind: ComponentType) -> Component:
    return Component(
        name=name,
        version=version,
        type=kind,
        bom_ref=f"{name}=={version}",
        licenses=[LicenseExpression(licence)],
        purl=PackageURL("pypi", name=name, version=version),
    )


def _needed_by(name: str, packages: dict[str, Component]) -> list[str]:
    """What a package may need, its extras included, as far as it is in the release."""
    try:
        needed = {canonicalize_name(Requirement(text).name) for text in requires(name) or ()}
    except PackageNotFoundError:  # another Python's
        return []
    return sorted((needed & packages.keys()) - {name})
