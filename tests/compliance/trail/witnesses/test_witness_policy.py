"""The file that names the witnesses and their quorum (C2SP tlog-policy)."""

from itertools import combinations
from typing import Final

import pytest

from compliance.exports import verify_bundle
from compliance.trail.witnesses.cosignatures import WitnessKey
from compliance.trail.witnesses.policy import InvalidPolicy, parse_policy

_KEYS: Final = {name: WitnessKey(f"{name}.example", name.encode() * 16) for name in ("a1", "a2")}
_KEYS.update({name: WitnessKey(f"{name}.example", name.encode() * 16) for name in ("b1", "b2")})
_LINES: Final = "\n".join(f"witness {name} {key}" for name, key in _KEYS.items())
_TWO_LEVELS: Final = f"""\
# who has to cosign
{_LINES}

group a\tany a1 a2
group b all  b1 b2
group everybody 2 a b
  quorum everybody
"""


def met_by(policy: str) -> set[frozenset[str]]:
    """The sets of witnesses that make a quorum; the regulator's program says the same."""
    parsed, given = parse_policy(policy), verify_bundle.policy_in(policy)
    met = set()
    for number in range(len(_KEYS) + 1):
        for names in combinations(_KEYS, number):
            is_met = parsed.is_met([_KEYS[name] for name in names])
            assert given.is_met(set(names), given.quorum) == is_met
            if is_met:
                met.add(frozenset(names))
    return met


def smallest(met: set[frozenset[str]]) -> set[frozenset[str]]:
    """Those of which no part is enough."""
    return {names for names in met if not any(other < names for other in met)}


class TestAQuorum:
    def test_of_groups(self) -> None:
        """Each by its own number."""
        assert smallest(met_by(_TWO_LEVELS)) == {
            frozenset({"a1", "b1", "b2"}),
            frozenset({"a2", "b1", "b2"}),
        }

    @pytest.mark.parametrize(
        ("group", "size", "count"), [("any", 1, 4), ("2", 2, 6), ("3", 3, 4), ("all", 4, 1)]
    )
    def test_of_a_number(self, group: str, size: int, count: int) -> None:
        """Any so many of them."""
        policy = f"{_LINES}\ngroup g {group} a1 a2 b1 b2\nquorum g"
        found = smallest(met_by(policy))

        assert {len(names) for names in found} == {size}
        assert len(found) == count
        assert parse_policy(policy).smallest_quorum == size

    def test_of_one_witness_or_of_nobody(self) -> None:
        """A witness is named like a group, and none needs nobody."""
        assert smallest(met_by(f"{_LINES}\nquorum b1")) == {frozenset({"b1"})}
        assert smallest(met_by("quorum none")) == {frozenset()}
        assert not parse_policy("quorum none").needs_witnesses

    @pytest.mark.parametrize(
        "policy",
        [
            _TWO_LEVELS,
            f"{_LINES}\nquorum b1",
            *(f"{_LINES}\ngroup g {n} a1 a2 b1 b2\nquorum g" for n in range(1, 5)),
            *(
                f"{_LINES}\ngroup a {n} a1 a2\ngroup g {m} a b1 b2\nquorum g"
                for n in (1, 2)
                for m in (1, 2, 3)
            ),
        ],
    )
    def test_may_split(self, policy: str) -> None:
        """If two sets without a common witness each make one."""
        met = met_by(policy)

        splits = any(one.isdisjoint(other) for one in met for other in met)
        assert parse_policy(policy).may_split == splits


class TestAWrongPolicy:
    @pytest.mark.parametrize(
        ("policy", "words"),
        [
            ("", "found no line quorum"),
            (f"{_LINES}\nquorum c1", "line 5: found c1"),
            (f"{_LINES}\nquorum a1\nquorum b1", "line 6: found quorum b1"),
            (f"{_LINES}\nquorum", "line 5: found quorum; needed log, witness"),
            (f"{_LINES}\ngroup a1 any b1\nquorum a1", "line 5: found the name a1 again"),
            (f"{_LINES}\ngroup none any b1\nquorum none", "the name none again"),
            (f"{_LINES}\ngroup g 3 a1 b1\nquorum g", "found 3; needed any, all, or a number"),
            (f"{_LINES}\ngroup g 0 a1 b1\nquorum g", "found 0; needed any, all, or a number"),
            (f"{_LINES}\ngroup g most a1 b1\nquorum g", "found most; needed any, all"),
            (f"{_LINES}\ngroup g any\nquorum g", "line 5: found group g any"),
            (f"{_LINES}\ngroup g any g\nquorum g", "line 5: found g; needed a witness or group"),
            (f"{_LINES}\ngroup g all a1 a1\nquorum g", "line 5: found a1 twice"),
            (f"{_LINES}\ngroup g any a1\ngroup h any a1\nquorum g", "line 6: found a1 twice"),
            (f"{_LINES}\ngroup g any none\nquorum g", "line 5: found none; needed a witness"),
            (f"witness a {_KEYS['a1']}\nwitness b {_KEYS['a1']}\nquorum a", "the key of b twice"),
            ("witness a b.example+00000000+AAAA\nquorum a", "needed the verifier key"),
            (f"witness a {str(_KEYS['a1']).replace('a1.', 'a2.')}\nquorum a", "line 1: found a2."),
        ],
    )
    def test_names_the_line(self, policy: str, words: str) -> None:
        """The regulator's program refuses the same files."""
        with pytest.raises(InvalidPolicy, match=words.replace("+", r"\+")):
            parse_policy(policy)
        with pytest.raises((verify_bundle.Wrong, ValueError)):
            verify_bundle.policy_in(policy)

    @pytest.mark.parametrize("url", ["http://regulator.example", "ftp://a", "https://", "a"])
    def test_of_an_unsafe_address(self, url: str) -> None:
        """Only this machine is asked in clear text."""
        with pytest.raises(InvalidPolicy, match="needed an address with https://"):
            parse_policy(f"witness a {_KEYS['a1']} {url}\nquorum a")
