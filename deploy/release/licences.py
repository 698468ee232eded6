"""The licences of the packages that Sabot runs on, as SPDX expressions."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from typing import Final

_BY_TEXT: Final[Mapping[str, str]] = {
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Apache-2.0": "Apache-2.0",
    "BSD-3-Clause": "BSD-3-Clause",
    "MIT": "MIT",
    "MPL-2.0": "MPL-2.0",
    "BSD 3-Clause OR Apache-2.0": "BSD-3-Clause OR Apache-2.0",
}
# What the files of these licences say, where the metadata say only "BSD", or several things.
_BY_NAME: Final[dict[str, str]] = {
    "amqp": "BSD-3-Clause",
    "async-timeout": "Apache-2.0",  # only for Python before 3.11.3
    "billiard": "BSD-3-Clause",
    "click-plugins": "BSD-3-Clause",
    "colorama": "BSD-3-Clause",
    "django-import-export": "BSD-2-Clause",
    "drf-spectacular-sidecar": "BSD-3-Clause",
    "email-validator": "Unlicense",  # into the public domain; comes with scim2-models
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "isodate": "BSD-3-Clause",
    "numba": "BSD-2-Clause",
    "prompt-toolkit": "BSD-3-Clause",
    "protobuf": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "qrcode": "BSD-3-Clause",
    "reportlab": "BSD-3-Clause",
    "sqlparse": "BSD-3-Clause",
    "tzdata": "Apache-2.0",
    "vine": "BSD-3-Clause",
}


class UnknownLicence(Exception):
    """A package does not say its licence so that a program understands it."""


def licence_of(package: str) -> str:
    """The licence of an installed package. Raises UnknownLicence."""
    if package in _BY_NAME:
        return _BY_NAME[package]
    try:
        stated = metadata(package)
    except PackageNotFoundError as missing:
        raise UnknownLicence(f"{package}: found no such package; needed it installed") from missing
    for expression in stated.get_all("License-Expression") or ():
        return str(expression)
    texts = [*(stated.get_all("License") or ()), *(stated.get_all("Classifier") or ())]
    found = {_BY_TEXT[text] for text in texts if text in _BY_TEXT}
    if len(found) != 1:
        raise UnknownLicence(
            f"{package}: found {sorted(found)} in its metadata; needed one licence: read its"
            " file and add it to deploy/release/licences.py"
        )
    return found.pop()
