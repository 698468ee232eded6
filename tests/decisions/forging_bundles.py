"""Bundles: signed through the services, and written past them. Only what two signed is sent."""

from typing import Any, Final

from hypothesis import strategies
from hypothesis.stateful import rule

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.services.bundle_steps import send_bundle, sign_bundle
from compliance.exports.services.download_bundle import (
    InvalidBundleFile,
    InvalidSignatures,
    NotApproved,
    downloadable_file,
)
from tests.compliance.exports.test_bundle_steps import LETTER
from tests.decisions.forging import (
    DISHONEST,
    NAMES,
    Histories,
    days_ago,
    everybody,
    hands,
    persons,
    roles,
)

BUNDLES: Final = (1, 2, 3, 4)

_bundles: Final = strategies.sampled_from(BUNDLES)


class Bundles(Histories):
    """Some bundles without files: what decides about them looks at their steps first."""

    # Services.

    @rule(number=_bundles, who=persons)
    def sign_bundle(self, number: int, who: str) -> None:
        """Signs it, whoever is said to have signed it before."""
        about: dict[str, Any] = {"at": self.now, "actor": self.actor(who)}
        seen = _steps(number).count()
        is_done = self.do("sign bundle", lambda: sign_bundle(number=number, seen=seen, **about))
        if is_done and who != DISHONEST:
            self.honest.add(("bundle", number))

    @rule(number=_bundles, order=everybody)
    def approve_bundle(self, number: int, order: list[str]) -> None:
        """Two persons sign it."""
        for who in order[:2]:
            self.sign_bundle(number, who)

    @rule(number=_bundles, who=persons)
    def send_bundle(self, number: int, who: str) -> None:
        """Sends it, and gives out its file; both need two signatures."""
        about: dict[str, Any] = {"letter": LETTER, "at": self.now, "actor": self.actor(who)}
        seen = _steps(number).count()
        is_sent = self.do("send bundle", lambda: send_bundle(number=number, seen=seen, **about))
        if is_sent or self._is_given_out(number):
            self.require_two(_steps(number).filter(action="signed"), "bundle", number)

    def _is_given_out(self, number: int) -> bool:
        """Whether a download fails at nothing but the file, which the test does not make."""
        try:
            downloadable_file(Bundle.objects.get(number=number))
        except (NotApproved, InvalidSignatures) as error:
            self.happened[f"download bundle: {type(error).__name__}"] += 1
            return False
        except InvalidBundleFile:
            self.happened["download bundle: done"] += 1
        return True

    # Rows.

    @rule(
        role=roles,
        number=_bundles,
        action=strategies.sampled_from(["signed", "signed", "sent"]),
        who=strategies.sampled_from(list(NAMES)),
        hand=hands,
        ago=days_ago,
    )
    def forge_bundle_step(
        self, role: str, number: int, action: str, who: str, hand: int, ago: int
    ) -> None:
        """A signature in anybody's name, or that it was sent."""
        letter = {"reference": "PEC 9", "on_day": self.now.date()} if action == "sent" else {}

        def forge() -> None:
            row = BundleStep.objects.create(
                bundle_id=number,
                sequence=_steps(number).count() + 1,
                action=action,
                at=self.at(ago),
                actor=NAMES[who].name,
                actor_user_id=NAMES[who].user_id or 0,
                **letter,
            )
            self.write_record(row, who, hand)

        self.write("bundle step", role, forge)

    @rule(number=_bundles, order=strategies.permutations(list(NAMES)), by=hands, ago=days_ago)
    def forge_bundle(self, number: int, order: list[str], by: int, ago: int) -> None:
        """As many signatures as it lacks, and its delivery."""
        for forger in self.forgers(order, by)[_steps(number).count() :]:
            self.forge_bundle_step("web", number, "signed", *forger, ago)
        self.send_bundle(number, "Anna")  # to whom it looks signed


def _steps(number: int) -> Any:
    return BundleStep.objects.filter(bundle=number).select_related("bundle").order_by("sequence")
