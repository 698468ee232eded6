"""A customer proves by his shares that a day's totals count him, with the verifier alone."""

import json
import random
import struct
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_django import Settings

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.services.build_bundle import Exported
from compliance.exports.sum_trees.customer_proof import LeavesChanged, NotCounted, prove_totals
from compliance.exports.sum_trees.merkle_sum_tree import NODE, Sums, branches
from compliance.exports.sum_trees.shares import SHARES, TreeOf, leaves_of, shares_of
from compliance.trail.log.stored_tree import NotInLog
from payouts.gaming_days.models import DayClosing
from tests.compliance.exports.day_closings import HOUR, LOG_KEY_ID, log, void_by_case
from tests.compliance.exports.exported_days import contents, exported
from tests.compliance.exports.verifier_runs import VerifierRun, run_verifier
from tests.payouts.gaming_days.day_scenarios import AFTER, DAY, NEXT, close
from tests.repetitions import repeated

_TREE: Final = TreeOf(DAY, "baccarat", b"secret of thirty-two octets here")
Json = dict[str, Any]


@pytest.fixture
def bundle(proved: DayClosing, key: SigningKey, tmp_path: Path, settings: Settings) -> Exported:
    """The bundle of the closed day, where web processes find it, with its record in the log."""
    settings.EXPORTS_FOLDER = str(tmp_path / "out")
    made = exported(tmp_path / "out", key, day=DAY)
    log()
    return made


def cents_of(record: bytes) -> list[int]:
    """The sums of a leaf."""
    _commitment, *cents = NODE.unpack(record)
    return list(cents)


def change_a_value(dice: random.Random, proof: Json, other: Json) -> str:
    """Changes one thing in a customer's proof, for which another customer's is at hand."""
    shares = proof["games"][0]["shares"]
    share = dice.choice(shares)
    path = share["path"]
    place = dice.randrange(len(path))
    holder = dice.choice((share, path[place]))
    name, value = dice.choice(Sums._fields), dice.choice((1, -1, 2**63, 2**64, -(2**64)))
    change = dice.choice(("sum", "text", "place", "path", "share", "order"))
    match change:
        case "sum":
            holder[name] += value
        case "text":
            texts = ((share, "nonce"), (path[place], "digest"), (proof, "day"), (proof, "customer"))
            holder, name = dice.choice(texts)
            at = dice.randrange(len(holder[name]))
            digit = dice.choice(
                [digit for digit in "0123456789abcdef" if digit != holder[name][at]]
            )
            holder[name] = holder[name][:at] + digit + holder[name][at + 1 :]
        case "place":
            share["leaf"] += dice.choice([step for step in range(-16, 17) if step])
        case "path":
            node = path.pop(place)
            if dice.random() < 0.5:
                path.insert(dice.choice([at for at in range(len(path) + 1) if at != place]), node)
        case "share":
            theirs = dice.choice(other["games"][0]["shares"])
            shares[shares.index(share)] = theirs
        case _:
            first, second = dice.sample(range(len(shares)), 2)
            shares[first], shares[second] = shares[second], shares[first]
    return change


def is_refused(proof: Json, record: verify_bundle.Decision) -> bool:
    """Whether the verifier refuses it with an error."""
    try:
        verify_bundle.verify_customer(proof, record)
    except (verify_bundle.Wrong, *verify_bundle.UNREADABLE):
        return True
    return False


def verified(folder: Path, proof: Json, *arguments: str) -> VerifierRun:
    """The verifier's result for a proof."""
    path = folder / "proof.json"
    path.write_text(json.dumps(proof))
    return run_verifier(path, *arguments)


class TestTheProofOfACustomer:
    def test_counts_his_sums(self, bundle: Exported, tmp_path: Path) -> None:
        """10.00 and 2.00 staked, 25.00 won, by a verifier without Sabot."""
        run = verified(tmp_path, prove_totals("p-1", DAY), "--log-key", LOG_KEY_ID)

        manifest = bytes(bundle.bundle.manifest_digest).hex()
        assert run.status == 0
        assert "".join(run.output.splitlines()[1:]) == (
            f"p-1 is counted in the totals of baccarat on {DAY} with stakes_cents 1200,"
            " winnings_cents 2500, reversed_stakes_cents 0, reversed_winnings_cents 0."
            f"The bundle with these totals has the manifest {manifest}."
            "RIGHT: 1 records are in the signed tree of the audit trail."
        )

    def test_names_no_other_customer(self, bundle: Exported) -> None:
        """Of the other one it has sums of several shares, and digests."""
        proof = json.dumps(prove_totals("p-1", DAY))

        assert "p-2" not in proof
        assert proof.count('"nonce"') == SHARES

    @pytest.mark.slow
    def test_counts_what_a_correction_took_back(
        self, bundle: Exported, key: SigningKey, tmp_path: Path
    ) -> None:
        """In the totals of the day that books it; the first day's stay."""
        void_by_case("r-1", at=AFTER + HOUR)
        close(NEXT)
        log()
        exported(tmp_path / "out", key, day=NEXT)
        log()

        sums = [
            [
                sum(share[name] for share in prove_totals("p-1", day)["games"][0]["shares"])
                for name in Sums._fields
            ]
            for day in (DAY, NEXT)
        ]

        assert sums == [[1200, 2500, 0, 0], [0, 0, 1200, 2500]]

    @pytest.mark.slow
    def test_proves_nothing_without_a_key_of_the_log(
        self, bundle: Exported, tmp_path: Path
    ) -> None:
        """Anybody can make a log of his own."""
        run = verified(tmp_path, prove_totals("p-1", DAY))

        assert (run.status, "NOT PROVED" in run.output) == (1, True)


class TestNoProof:
    def test_is_given_to_who_did_not_play(self, bundle: Exported) -> None:
        """Nor to a customer whom somebody left out."""
        for customer in ("p-3", "", "p-1\N{GREEK SMALL LETTER ALPHA}"):
            with pytest.raises(NotCounted, match="found no share"):
                prove_totals(customer, DAY)

    def test_is_given_of_a_day_without_a_bundle(self, bundle: Exported) -> None:
        """Such as an open one."""
        with pytest.raises(NotCounted, match="found no bundle"):
            prove_totals("p-1", NEXT)

    def test_is_given_before_the_record_is_in_the_log(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path, settings: Settings
    ) -> None:
        """It takes seconds."""
        settings.EXPORTS_FOLDER = str(tmp_path)
        exported(tmp_path, key, day=DAY)

        with pytest.raises(NotInLog):
            prove_totals("p-1", DAY)

    @pytest.mark.slow
    def test_is_given_by_changed_leaves(self, bundle: Exported) -> None:
        """Whatever octet of the file is changed, or if it is gone: both customers notice."""
        content = bundle.path.read_bytes()
        begin = content.index(contents(bundle.path)["totals/baccarat.leaves"])

        for at in range(begin, begin + 8 * NODE.size, 7):
            bundle.path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])

            with pytest.raises((LeavesChanged, NotCounted)):
                prove_totals("p-1", DAY)
        bundle.path.unlink()
        with pytest.raises(LeavesChanged, match="found no leaves"):
            prove_totals("p-1", DAY)


class TestAChangedProof:
    @pytest.mark.slow
    def test_is_refused_after_any_of_ten_thousand_changes(self, bundle: Exported) -> None:
        """One value each: a sum, nonce, digest, place, name or day, or two shares exchanged."""
        dice = random.Random("proofs of customers")
        proof, other = prove_totals("p-1", DAY), prove_totals("p-2", DAY)
        record = verify_bundle.parsed(proof["record"])

        for number in range(repeated(10_000)):
            changed = json.loads(json.dumps(proof))
            what = change_a_value(dice, changed, other)

            assert is_refused(changed, record), f"{number}: {what}"


class TestShares:
    def test_add_up_to_the_sums(self) -> None:
        """Cents that cannot be cut as well, and the largest sums that there are."""
        for sums in (Sums(0, 0, 0, 0), Sums(1, 2, 3, 4), Sums(2**63 - 1, 0, 10**9, 7)):
            leaves = leaves_of(_TREE, [("p-1", sums)])

            added = [sum(cents) for cents in zip(*map(cents_of, leaves), strict=True)]
            assert added == list(sums)
            assert min(cents for leaf in leaves for cents in cents_of(leaf)) >= 0

    def test_of_two_customers_are_never_the_same(self) -> None:
        """However alike they bet: names and numbers are committed to."""
        names = [f"p-{number}" for number in range(500)]

        commitments = {share.commitment for name in names for share in shares_of(_TREE, name)}

        assert len(commitments) == 500 * SHARES

    def test_are_cut_differently_for_each(self) -> None:
        """Equal sums do not show by equal shares. Half of uniform cuts are below 1 - 0.5^(1/3)."""
        leaves = leaves_of(_TREE, [(f"p-{number}", Sums(10**6, 0, 0, 0)) for number in range(1024)])

        stakes = [cents_of(leaf)[0] for leaf in leaves]
        assert len({*stakes}) > 4000
        assert 196_000 < sorted(stakes)[2048] < 217_000

    def test_are_filled_up_to_a_power_of_two(self) -> None:
        """Paths tell the number of customers to a factor of two only."""
        sizes = [
            len(leaves_of(_TREE, [(f"p-{n}", Sums(1, 0, 0, 0)) for n in range(count)]))
            for count in (0, 1, 2, 3, 5, 16, 17)
        ]

        assert sizes == [1, 4, 8, 16, 32, 64, 128]

    def test_of_negative_sums_are_not_made(self) -> None:
        """A sum tree with them would prove nothing."""
        with pytest.raises(ValueError, match="needed sums that are not negative"):
            leaves_of(_TREE, [("p-1", Sums(-1, 0, 0, 0))])

    def test_are_the_same_in_every_release(self) -> None:
        """Computed by another program: if they change, no stored tree can be exported again."""
        tree = TreeOf(date(2026, 11, 21), "baccarat", bytes(range(32)))
        customers = [("p-1", Sums(1200, 2500, 0, 0)), ("p-2", Sums(1000, 0, 300, 500))]

        [root] = branches(leaves_of(tree, customers))

        assert root[:32].hex() == (
            "d8497b199e50b0c27ebc0139277a9af102808a92cab102d8e15cbfaf29055074"
        )

    def test_are_not_wrapped_around(self) -> None:
        """2^63 cents and more are an error, never a small sum."""
        largest = Sums(2**63 - 1, 0, 0, 0)
        leaves = leaves_of(_TREE, [("p-1", largest), ("p-2", largest)])

        with pytest.raises(struct.error):
            branches(leaves)
