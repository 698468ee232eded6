"""Permissions of people: those of their roles, and no others."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.db.models import QuerySet
from django.http import HttpRequest

from casino.access.account_status import status_of
from casino.access.lockout_by_account import known_browser
from casino.access.passwords.turns import password_turn


class RolePermissions(ModelBackend):
    """The permissions of a person's roles, restricted by the account's status.

    Superusers cannot log in, and permissions of single persons are ignored. Every page checks
    permissions through this backend.
    """

    def authenticate(
        self, request: Any, username: str | None = None, password: str | None = None, **other: Any
    ) -> Any:
        """The person, if the password is right; unknown names and closed accounts cost the same.

        Only people in a session, and browsers that the account knows, wait while another password
        is verified. Raises PasswordsBusy for others.
        """
        is_known = request is None or _is_known(request, username or "")
        with password_turn(may_wait=is_known):
            return super().authenticate(request, username, password, **other)

    def user_can_authenticate(self, user: Any) -> bool:
        """Whether the account may log in and keep its sessions."""
        return super().user_can_authenticate(user) and not user.is_superuser

    def get_all_permissions(
        self,
        user_obj: Any,
        obj: Any = None,
    ) -> set[str]:
        """All permissions of the roles; only those to view during the decision delay."""
        if isinstance(user_obj, AnonymousUser) or user_obj.is_superuser:
            return set()
        permissions = super().get_all_permissions(user_obj, obj)
        if not permissions:
            return permissions
        status = status_of(user_obj)
        if status.must_change_password or status.must_enrol:
            return set()
        if status.decides_from is None:
            return permissions
        return {name for name in permissions if name.partition(".")[2].startswith("view_")}

    def _get_user_permissions(self, _person: User) -> "QuerySet[Permission]":
        return Permission.objects.none()


def _is_known(request: HttpRequest, account: str) -> bool:
    is_in_session = hasattr(request, "user") and request.user.is_authenticated
    return is_in_session or known_browser(request, account) is not None
