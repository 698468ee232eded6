"""What pages contain for drafts: whose they are, and the key of files that were chosen."""

import base64

from django import template
from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac

from casino.backoffice.drafts.submitted_drafts import owner_mark

register = template.Library()
register.simple_tag(owner_mark, name="draft_owner")


@register.simple_tag
def file_key(person: User) -> str:
    """AES key of the user, base64. Included only in the user's own pages."""
    salt = "casino.backoffice.templatetags.sabot_drafts.key"
    return base64.b64encode(salted_hmac(salt, str(person.pk), algorithm="sha256").digest()).decode()
