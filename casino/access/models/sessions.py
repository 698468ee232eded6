"""The sessions of people who are logged in."""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class OpenSession(AbstractBaseSession):
    """A Django session with its person, address and browser.

    Deleting the row logs the session out. Pages refer to it by ``handle`` and never show the key,
    which would give access to the session.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="+",
        verbose_name=_("person"),
    )
    handle = models.CharField(_("handle"), max_length=32, db_index=True, null=True)
    started_at = models.DateTimeField(_("since"), null=True)
    seen_at = models.DateTimeField(_("last seen"), default=timezone.now)
    address = models.GenericIPAddressField(_("address"), null=True)
    browser = models.CharField(_("browser"), max_length=300)

    class Meta(AbstractBaseSession.Meta):
        default_permissions = ("view",)
        permissions = [("end_session", "Can end anybody's session")]

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """The session engine that reads and writes these rows."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
