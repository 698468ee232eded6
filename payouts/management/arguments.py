"""Arguments that several commands share."""

from argparse import ArgumentTypeError
from datetime import date

from django.contrib.auth.models import User
from django.core.management.base import CommandError


def day_argument(text: str) -> date:
    """The argument type of a day. Raises ArgumentTypeError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"found {text}; needed a day like 2026-11-21") from None


def active_user(option: str, username: str) -> User:
    """The active user that an option names. Raises CommandError."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise CommandError(f"{option}: found no user {username}; needed an active user")
    return user
