"""The identity of a round: RFC 9562, version 7."""

from datetime import UTC, datetime

import pytest

from rounds.identity import round_id

_LAST = int(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()) * 1000 + 999


class TestTheIdentityOfARound:
    @pytest.mark.parametrize("opened_at", [-62_135_596_800_000, -1, 0, 1, 1_795_295_410_000, _LAST])
    def test_is_a_version_7_uuid(self, opened_at: int) -> None:
        """RFC 9562, 5.7: version 7, variant 10, from year 1 to year 9999."""
        identity = round_id(reference="r-1", opened_at=opened_at)

        assert (identity.version, identity.variant) == (7, "specified in RFC 4122")

    def test_is_in_the_order_of_opening_from_1970_on(self) -> None:
        """The first 48 bits are the time in milliseconds."""
        ids = [round_id(reference="r-1", opened_at=at) for at in (0, 1, 1_795_295_410_000, _LAST)]

        assert ids == sorted(ids)
        assert ids[2].int >> 80 == 1_795_295_410_000

    def test_is_before_all_others_for_times_before_1970(self) -> None:
        """Such an id has the earliest time."""
        early = round_id(reference="r-1", opened_at=-62_135_596_800_000)

        assert early < round_id(reference="r-2", opened_at=1)
        assert early != round_id(reference="r-2", opened_at=-62_135_596_800_000)
