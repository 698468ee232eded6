"""Why a directory cannot do what it asked for."""

from django.contrib.auth.models import User


class DirectoryError(Exception):
    """The directory cannot do this; the message says what was found and what is needed."""


class NameTaken(DirectoryError):
    """Another account has the user name, or another account of the directory the identifier."""


class ClosedByOthers(DirectoryError):
    """An administrator closed the account, so an administrator reopens it."""


class RolesTogether(DirectoryError):
    """The groups of the person ask for roles that one person may not have together."""


class LastAdministrators(DirectoryError):
    """The person is one of the last two active administrators."""

    def __init__(self, message: str, person: User) -> None:
        super().__init__(message)
        self.person = person
