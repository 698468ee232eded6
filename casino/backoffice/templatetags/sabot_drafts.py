"""The key that encrypts form drafts in the browser."""

import base64

from django import template
from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac

register = template.Library()


@register.simple_tag
def draft_key(person: User) -> str:
    """AES key of the user, base64. Included only in the user's own pages."""
    return base64.b64encode(_digest_for("key", person)).decode()


@register.simple_tag
def draft_owner(person: User) -> str:
    """An anonymous identifier of the user, to detect drafts of others."""
    return _digest_for("owner", person).hex()[:32]


def _digest_for(purpose: str, person: User) -> bytes:
    salt = f"casino.backoffice.templatetags.sabot_drafts.{purpose}"
    return salted_hmac(salt, str(person.pk), algorithm="sha256").digest()
