"""A password hasher that counts its work."""

from typing import ClassVar, Final

from django.contrib.auth.hashers import MD5PasswordHasher

HASHER: Final = f"{__name__}.CountedHasher"


class CountedHasher(MD5PasswordHasher):
    """Hashes as the tests do, and counts how often."""

    times: ClassVar = 0

    def encode(self, password: str, salt: str) -> str:
        """The hash of a password."""
        CountedHasher.times += 1
        return super().encode(password, salt)
