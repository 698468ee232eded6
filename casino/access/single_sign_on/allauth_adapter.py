"""What django-allauth's single sign-on may do here."""

from typing import Any

import requests
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from casino.access.single_sign_on.configuration import OpenIdProvider
from casino.access.single_sign_on.provider_calls import ProviderSession


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # ships no types
    """No account is made by a login, and no row of the database adds a provider."""

    def is_open_for_signup(self, request: Any, sociallogin: Any) -> bool:
        """Accounts are made by administrators."""
        return False

    def list_apps(self, request: Any, provider: Any = None, client_id: Any = None) -> list[Any]:
        """None: the provider is that of the settings."""
        return []

    def get_requests_session(self) -> requests.Session:
        """HTTP to the provider's host only."""
        provider = settings.SINGLE_SIGN_ON
        if not isinstance(provider, OpenIdProvider):
            raise ImproperlyConfigured("SSO_OIDC_ISSUER: found nothing; needed for this call")
        return ProviderSession(provider)
