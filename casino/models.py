"""Who is logged in, where, and since when."""

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class OpenSession(AbstractBaseSession):
    """A session as Django keeps it, with whose it is and where.

    To delete the row is to log it out. ``handle`` names it on pages, which must never show the key:
    whoever has that has the session.
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
        """What reads and writes these rows."""
        from casino.doors.sessions import SessionStore  # noqa: PLC0415  it needs this class

        return SessionStore
