"""The bill of materials of a release, and the licences that are allowed in one."""

import json
from typing import Final

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from casino.embedded.server_paths import CLONE
from deploy.release import licences
from deploy.release.licences import UnknownLicence, licence_of
from deploy.release.pins import versions_in
from deploy.release.sbom import sbom_of

LOCK: Final = CLONE / "requirements.lock"
MADE_AT: Final = 1_772_366_400  # 2026-03-01, noon UTC
ALLOWED: Final = {
    *(
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "0BSD",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "Zlib",
        "CC0-1.0",
        "ISC",
        "Unlicense",
        "PSF-2.0",
    ),
    *("Apache-2.0", "Apache-2.0 WITH LLVM-exception"),
    "MPL-2.0",  # a changed file of theirs must be published; none is changed
    "LGPL-3.0-only",  # psycopg, which is imported as it is
}


def test_fits_the_schema() -> None:
    """Of CycloneDX 1.6, strictly."""
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(
        sbom_of("1.0", LOCK, made_at=MADE_AT)
    )

    assert fault is None


@pytest.mark.slow
def test_is_the_same_for_the_same_sources() -> None:
    """Octet by octet."""
    assert sbom_of("1.0", LOCK, made_at=MADE_AT) == sbom_of("1.0", LOCK, made_at=MADE_AT)


def test_names_every_package_with_its_version() -> None:
    """And Sabot, which needs those of requirements.txt, and what these need."""
    document = json.loads(sbom_of("1.0", LOCK, made_at=MADE_AT))

    found = {item["name"]: item["version"] for item in document["components"]}
    needs = {item["ref"]: item.get("dependsOn", []) for item in document["dependencies"]}
    assert found == versions_in(LOCK)
    assert document["metadata"]["component"]["name"] == "sabot"
    assert document["metadata"]["timestamp"].startswith("2026-03-01T12:00:00")
    assert f"django=={found['django']}" in needs["sabot==1.0"]
    assert f"kombu=={found['kombu']}" not in needs["sabot==1.0"]
    assert f"kombu=={found['kombu']}" in needs[f"celery=={found['celery']}"]


@pytest.mark.parametrize("package", versions_in(LOCK))
def test_of_a_package_the_licence_is_allowed(package: str) -> None:
    """Each part of its expression. One that is not is a question for the operator's lawyers."""
    alternatives = licence_of(package).replace("(", "").replace(")", "").split(" OR ")

    parts = {part for alternative in alternatives for part in alternative.split(" AND ")}

    assert parts
    assert parts - ALLOWED == set()


def test_of_an_unknown_package_there_is_no_licence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is needed, also for one that says only "BSD"."""
    monkeypatch.delitem(licences._BY_NAME, "vine")

    with pytest.raises(UnknownLicence, match="needed it installed"):
        licence_of("no-such-package")
    with pytest.raises(UnknownLicence, match="needed one licence"):
        licence_of("vine")
