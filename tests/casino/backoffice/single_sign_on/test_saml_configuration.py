"""What the environment may say of a SAML provider."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from casino.access.single_sign_on.configuration import SamlProvider, configured_provider
from tests.casino.backoffice.single_sign_on.saml_peer import ISSUER, LOGIN, metadata


def read(folder: Path, document: str, **more: str) -> object:
    """The provider with this metadata."""
    file = folder / "metadata.xml"
    file.write_text(document)
    env = Env()
    env.ENVIRON = {"SSO_NAME": "Casino ID", "SSO_SAML_METADATA": str(file), **more}
    return configured_provider(env, is_demo=False)


def test_the_metadata_say_what_is_needed(tmp_path: Path) -> None:
    """Also with a query in the address, as some providers have."""
    found = read(tmp_path, metadata(login=f"{LOGIN}?id=1"), SSO_SAML_ENTITY_ID="urn:sabot")

    assert isinstance(found, SamlProvider)
    assert (found.issuer, found.entity_id) == (ISSUER, "urn:sabot")
    assert found.settings["singleSignOnService"]["url"] == f"{LOGIN}?id=1"


@pytest.mark.parametrize(
    "document",
    [
        "",
        "no XML",
        "<a/>",
        metadata().replace("HTTP-Redirect", "HTTP-Artifact"),
        metadata().replace("X509Certificate", "X509SubjectName"),
        metadata(issuer="x" * 201),
        metadata(login="http://id.casino.example/login"),
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>{metadata()}',
    ],
)
def test_unusable_metadata_are_named(tmp_path: Path, document: str) -> None:
    """With what is needed instead."""
    with pytest.raises(ImproperlyConfigured, match=r"^SSO_SAML_METADATA: found .*; needed "):
        read(tmp_path, document)


def test_a_missing_file_is_named() -> None:
    """Before anything else is done with it."""
    env = Env()
    env.ENVIRON = {"SSO_NAME": "Casino ID", "SSO_SAML_METADATA": "/nowhere/metadata.xml"}

    with pytest.raises(ImproperlyConfigured, match="SSO_SAML_METADATA: found no readable file"):
        configured_provider(env, is_demo=False)
