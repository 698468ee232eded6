"""People who are notified, for tests."""

from django.contrib.auth.models import Group, User

from casino.access.roles import grant_roles


def somebody(name: str, *roles: str) -> User:
    """A person with these roles and an e-mail address."""
    if not Group.objects.exists():
        grant_roles()
    person = User.objects.create_user(name, email=f"{name}@casino.example", is_staff=True)
    person.groups.set(Group.objects.filter(name__in=roles))
    return person
