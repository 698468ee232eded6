"""Accounts found by SCIM: filters, pages, attributes and versions, as directories ask."""

from urllib.parse import urlencode

import pytest

from tests.casino.api.scim.directories import USERS, Directory, names_in

pytestmark = pytest.mark.django_db


class TestFinding:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ('userName eq "LIA"', ["lia"]),
            ('username EQ "lia"', ["lia"]),
            ('externalId eq "id-of-rita"', ["rita"]),
            ('externalId eq "ID-OF-RITA"', []),
            ('userName eq "lia" and externalId eq "id-of-lia"', ["lia"]),
            ('userName eq "lia" and externalId eq "id-of-rita"', []),
            ('userName eq "x\\" or \\"1\\" eq \\"1"', []),
            ('userName eq "\' OR 1=1 --"', []),
            ('id eq "x"', []),
        ],
    )
    def test_by_a_filter(self, directory: Directory, text: str, found: list[str]) -> None:
        """Whatever is in the quotes is a value."""
        directory.joins("lia")
        directory.joins("rita")

        answer = directory.get(f"{USERS}?{_query(filter=text)}")

        assert names_in(answer) == found
        assert answer.json()["totalResults"] == len(found)

    @pytest.mark.parametrize(
        "text",
        [
            'userName sw "l"',
            'userName eq "a" or userName eq "b"',
            'not (userName eq "a")',
            'emails eq "x"',
            'password eq "x"',
            "userName pr",
            'userName eq "a" and userName eq "b"',
            "userName eq",
            "(" * 500 + 'userName eq "a"' + ")" * 500,
            "userName eq 5",
        ],
    )
    def test_by_another_filter_is_refused(self, directory: Directory, text: str) -> None:
        """With what is supported."""
        answer = directory.get(f"{USERS}?{_query(filter=text)}")

        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidFilter")

    def test_by_pages(self, directory: Directory) -> None:
        """From one; a page of nothing tells the total."""
        for name in ("lia", "rita", "ugo"):
            directory.joins(name)

        second = directory.get(f"{USERS}?startIndex=2&count=1")
        none = directory.get(f"{USERS}?count=0")

        assert (names_in(second), second.json()["startIndex"]) == (["rita"], 2)
        assert (second.json()["totalResults"], second.json()["itemsPerPage"]) == (3, 1)
        assert (names_in(none), none.json()["totalResults"]) == ([], 3)
        assert directory.get(f"{USERS}?count=many").json()["scimType"] == "invalidValue"

    def test_only_some_attributes(self, directory: Directory) -> None:
        """Or all but some."""
        user = directory.joins("lia")

        wanted = directory.get(f"{USERS}/{user.pk}?attributes=userName").json()
        others = directory.get(f"{USERS}/{user.pk}?excludedAttributes=emails,name").json()

        assert wanted.keys() == {"schemas", "id", "userName"}
        assert {"userName", "active"} <= others.keys()
        assert not {"emails", "name"} & others.keys()

    def test_again_only_if_it_changed(self, directory: Directory) -> None:
        """304 to the version that the directory has."""
        user = directory.joins("lia")
        version = directory.get(f"{USERS}/{user.pk}")["ETag"]

        again = directory.get(f"{USERS}/{user.pk}", **{"If-None-Match": version})

        assert (again.status_code, again.content) == (304, b"")


def _query(**values: str) -> str:
    return urlencode(values)
