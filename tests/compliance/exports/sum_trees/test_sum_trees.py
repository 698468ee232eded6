"""The sum trees of closed days: whose sums are in them, and that there is one of each."""

import hashlib
from pathlib import Path

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle, SumTree
from compliance.exports.scope import Scope, one_day, snapshot
from compliance.exports.services.build_bundle import build_bundle
from compliance.exports.sum_trees.customer_sums import customer_sums
from compliance.exports.sum_trees.merkle_sum_tree import Sums, node_of
from compliance.exports.sum_trees.trees_of_day import SumTreeChanged
from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing
from tests.casino_in_play import NOW
from tests.compliance.exports.day_closings import HOUR, log, verifier_output, void_by_case
from tests.compliance.exports.exported_days import CLERK, contents, exported
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NEXT,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import resettle

_LEAVES = "totals/baccarat.leaves"


def sums_of(of: Scope) -> dict[str, dict[str, tuple[int, ...]]]:
    """The sums of each game and customer of a day."""
    with snapshot(of, database="default") as view:
        return {
            game: {customer: tuple(sums) for customer, sums in customers}
            for game, customers in customer_sums(view)
        }


class TestTheSumsOfACustomer:
    def test_are_those_of_settled_bets(self, closed: DayClosing) -> None:
        """Player 10.00 and Small 2.00 of p-1 pay 25.00, Banker of p-2 nothing; r-2 is held."""
        sums = sums_of(one_day(DAY))

        assert sums == {"baccarat": {"p-1": (1200, 2500, 0, 0), "p-2": (1000, 0, 0, 0)}}

    def test_of_corrections_reverse_what_was_counted(self, closed: DayClosing) -> None:
        """Void rounds: r-1 takes its day's sums back; r-2, open on its day, changes none.

        The late round stakes and pays as the others do.
        """
        void_by_case("r-1", "r-2", at=AFTER + HOUR)
        arrive(dealt("r-late", NOON - HOUR), at=AFTER + HOUR)
        settle_at(AFTER + HOUR)

        sums = sums_of(one_day(NEXT))

        assert sums == {"baccarat": {"p-1": (1200, 2500, 1200, 2500), "p-2": (1000, 0, 1000, 0)}}

    def test_of_a_round_held_over_its_day_count_when_it_is_settled(
        self, closed: DayClosing
    ) -> None:
        """Nothing was counted before."""
        resettle("r-2", after=0, ruling=NO_EXTRA_CARD, at=AFTER + HOUR)

        sums = sums_of(one_day(NEXT))

        assert sums == {"baccarat": {"p-1": (1200, 2500, 0, 0), "p-2": (1000, 0, 0, 0)}}

    def test_are_none_without_rounds(self, closed: DayClosing) -> None:
        """Of a game that nobody played."""
        assert sums_of(one_day(DAY, "blackjack")) == {}


class TestTheTree:
    def test_adds_up_to_the_registers(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """22.00 staked and 25.00 won, in eight leaves: four shares of two customers."""
        bundle = exported(tmp_path, key, day=DAY)

        output = verifier_output(bundle.path, tmp_path)
        assert "The sum tree of baccarat has 8 leaves and the root " in output
        assert "The customers' shares add up to the registers and to the tax base." in output
        [tree] = SumTree.objects.all()
        stated = tree.to_json()
        del stated["root"]
        assert stated == {"leaves": 8, **Sums(2200, 2500, 0, 0)._asdict()}

    def test_is_recorded_with_the_bundle(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """The log, which witnesses cosign, has the root that the manifest has."""
        exported(tmp_path, key, day=DAY)

        record = AuditRecord.objects.get(action="DAY_EXPORTED")
        assert record.details["totals"] == {"baccarat": SumTree.objects.get().to_json()}

    @pytest.mark.slow
    def test_adds_up_after_corrections(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """r-1 is void a day later: 22.00 and 25.00 are counted less, and a late round more."""
        void_by_case("r-1", at=AFTER + HOUR)
        arrive(dealt("r-late", NOON - HOUR), at=AFTER + HOUR)
        settle_at(AFTER + HOUR)
        close(NEXT)
        log()

        bundle = exported(tmp_path, key, day=NEXT)

        assert "add up to the registers" in verifier_output(bundle.path, tmp_path)
        assert node_of(bytes(SumTree.objects.get().root)).sums == (2200, 2500, 2200, 2500)

    @pytest.mark.slow
    def test_is_the_same_in_every_bundle_of_the_day(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Of one game, of all, and rebuilt after the file was lost."""
        first = exported(tmp_path, key, day=DAY, game="baccarat")
        second = exported(tmp_path, key, day=DAY)
        leaves = contents(second.path)[_LEAVES]
        second.path.unlink()

        third = exported(tmp_path, key, day=DAY)

        assert not third.is_new
        assert contents(first.path)[_LEAVES] == leaves == contents(third.path)[_LEAVES]
        assert SumTree.objects.count() == 1

    def test_is_in_no_extract_and_no_open_day(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """The tax is due by the day, and only a closed one has its final base."""
        for number, of in enumerate((Scope(DAY, DAY, customer="p-1"), one_day(NEXT)), 1):
            extract = build_bundle(
                of=of, folder=tmp_path, key=key, database="default", at=NOW, actor=CLERK
            )

            assert Bundle.objects.count() == number
            assert _LEAVES not in contents(extract.path)
            assert verifier_output(extract.path, tmp_path)
        assert not SumTree.objects.exists()

    def test_hides_customers_from_who_reads_the_leaves(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """A pseudonym opens no commitment without the secret, and the next tree has another one."""
        leaves = contents(exported(tmp_path, key, day=DAY).path)[_LEAVES]
        guesses = {
            hashlib.sha256(b"\2" + bytes(32) + f'["{DAY}","baccarat","{name}",{number}]'.encode())
            for name in ("p-1", "p-2")
            for number in range(1, 5)
        }
        close(NEXT)
        log()
        exported(tmp_path, key, day=NEXT)

        assert not {guess.digest() for guess in guesses} & {
            leaves[at : at + 32] for at in range(0, len(leaves), 64)
        }
        secrets = [bytes(tree.secret) for tree in SumTree.objects.all()]
        assert len(secrets) == len({*secrets, bytes(32)}) - 1


class TestASecondTree:
    def test_is_not_made_of_other_bets(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Whoever changes a closed day's rows, past its guards, exports it no more."""
        exported(tmp_path, key, day=DAY)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("UPDATE rounds_bet SET stake_cents = stake_cents + 100")

        with pytest.raises(SumTreeChanged, match=r"found .* needed "):
            exported(tmp_path, key, day=DAY)

    def test_of_a_day_and_game_is_refused_by_the_database(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Also if another program writes it."""
        exported(tmp_path, key, day=DAY)
        tree = SumTree.objects.get()
        tree.secret = bytes(32)

        with pytest.raises(IntegrityError):
            tree.save(force_insert=True)

    def test_does_not_replace_the_first_one(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Append-only."""
        exported(tmp_path, key, day=DAY)

        with pytest.raises(DatabaseError, match="Cannot update"):
            SumTree.objects.update(secret=bytes(32))
        with pytest.raises(DatabaseError, match="Cannot delete"):
            SumTree.objects.all().delete()
