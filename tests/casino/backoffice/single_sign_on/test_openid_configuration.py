"""What the environment may say of the provider: each mistake is named at the start."""

from pathlib import Path
from typing import Final

import pytest
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from casino.access.single_sign_on.configuration import (
    OpenIdProvider,
    Provider,
    configured_provider,
)

ISSUER: Final = "https://id.casino.example/realms/staff"


@pytest.fixture
def right(tmp_path: Path) -> dict[str, str]:
    """An environment without a mistake."""
    (tmp_path / "secret").write_text("between us\n")
    (tmp_path / "empty").write_text("\n")
    return {
        "SSO_NAME": "Casino ID",
        "SSO_OIDC_ISSUER": ISSUER,
        "SSO_OIDC_CLIENT_ID": "sabot",
        "SSO_OIDC_CLIENT_SECRET_FILE": str(tmp_path / "secret"),
    }


def read(variables: dict[str, str], *, is_demo: bool = False) -> Provider | None:
    """The provider of an environment."""
    env = Env()
    env.ENVIRON = variables
    return configured_provider(env, is_demo=is_demo)


def test_the_right_one_is_read(right: dict[str, str]) -> None:
    """The secret without the end of its line."""
    provider = read(right)

    assert isinstance(provider, OpenIdProvider)
    assert (provider.name, provider.issuer) == ("Casino ID", ISSUER)
    assert (provider.client_id, provider.client_secret) == ("sabot", "between us")


def test_none_is_needed() -> None:
    """Most installations have no provider."""
    assert read({}) is None


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("SSO_NAME", "", "SSO_NAME: found nothing; needed the provider's name"),
        ("SSO_NAME", "x" * 41, "of at most 40 characters"),
        ("SSO_OIDC_ISSUER", "http://id.casino.example", "needed an https:// address"),
        ("SSO_OIDC_ISSUER", "https://a:b@id.casino.example", "needed an https:// address"),
        ("SSO_OIDC_ISSUER", "https://id.casino.example/?tenant=1", "without query"),
        ("SSO_OIDC_ISSUER", "id.casino.example", "needed an https:// address"),
        ("SSO_OIDC_ISSUER", "https://id.casino.example:x", "needed an https:// address"),
        ("SSO_OIDC_ISSUER", f"https://{'x' * 200}.example", "of at most 200 characters"),
        ("SSO_OIDC_CLIENT_ID", " ", "SSO_OIDC_CLIENT_ID: found nothing"),
        ("SSO_OIDC_CLIENT_SECRET_FILE", "", "SSO_OIDC_CLIENT_SECRET_FILE: found no readable"),
        ("SSO_OIDC_CLIENT_SECRET_FILE", "{folder}/empty", "found an empty file"),
        ("SSO_CA_FILE", "{folder}/none", "SSO_CA_FILE: found no readable file"),
        ("SSO_SAML_METADATA", "{folder}/secret", "needed one provider"),
    ],
)
def test_a_mistake_is_named(
    right: dict[str, str], variable: str, value: str, named: str, tmp_path: Path
) -> None:
    """Variable, what was found, what is needed."""
    wrong = {**right, variable: value.format(folder=tmp_path)}

    with pytest.raises(ImproperlyConfigured, match=f"^{variable}: found .*; needed ") as error:
        read(wrong)

    assert named in str(error.value)


def test_a_demo_may_do_without_tls(right: dict[str, str]) -> None:
    """For trials on one machine."""
    assert read({**right, "SSO_OIDC_ISSUER": "http://127.0.0.1:9000"}, is_demo=True) is not None


def test_nobody_is_locked_out_by_a_requirement_without_a_provider() -> None:
    """Everybody's password would be refused, and there would be no other way."""
    with pytest.raises(ImproperlyConfigured, match="SSO_REQUIRED: found true; needed SSO_OIDC"):
        read({"SSO_REQUIRED": "true"})
