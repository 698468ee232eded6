"""Nothing that an earlier test verified."""

from collections.abc import Iterator

import pytest

from rounds.signatures.decided_by_persons import KNOWN
from rounds.signatures.verified_batches import forget_verified_batches


@pytest.fixture(autouse=True)
def _nothing_verified_yet() -> Iterator[None]:
    forget_verified_batches()
    KNOWN.forget()
    yield
    forget_verified_batches()
