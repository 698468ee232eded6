"""Each refusal of the regulator's script is needed: without it a forgery passes.

The operator has the certificate's key, the log's key and keys of persons, and signs everything
again. The script is switched off at one place after the other, in memory.
"""

from typing import Final, NamedTuple

import pytest

from tests.attacks.exports.forged.alignments import DAYS
from tests.attacks.exports.forged.bundle_files import FILES
from tests.attacks.exports.forged.dossiers import CHAINS, DOSSIERS, GENUINE, RECORDS
from tests.attacks.exports.forged.person_keys import PERSONS
from tests.attacks.exports.forged.settlements import EFFECTS
from tests.attacks.exports.forged.signatures import SIGNED
from tests.attacks.exports.forged.sizes import SIZES
from tests.attacks.exports.forged.totals import GENUINE_TOTALS, TOTALS
from tests.attacks.exports.forged.witnesses import GENUINE_WITNESSED, WITNESSED
from tests.attacks.exports.script_refusals import refusals
from tests.attacks.exports.switched_off import Outcome, Refusal, Script
from tests.attacks.exports.workshop import Arguments, Workshop, make_workshop

_ALL: Final = (
    *(FILES, DAYS, PERSONS, SIGNED, EFFECTS, DOSSIERS, RECORDS, CHAINS, SIZES, WITNESSED),
    TOTALS,
)
FORGED: Final = {name: forged for some in _ALL for name, forged in some.items()}
_PARTS: Final = 4
_ERROR: Final = "gives the reason; without it the script stops with an error that names none"
_CHOICE: Final = "chooses what is read; otherwise nothing genuine can be read either"
_WORDS: Final = "chooses words of the output"
_NOBODY: Final = "without it no signer is known, and the script says so: NOT PROVED"
_NAMES_THE_FILE: Final = (
    "names the file that cannot be read; without it the script names the bundle"
)
_UNREAD: Final = "cannot be read: {type(error).__name__}: {error}') from None"
_READING: Final = (
    "verify",
    "is_json",
    "known_persons",
    "known_policy",
    "verify_dossier_file",
    "verify_record_file",
)
SECOND_LINES: Final = {
    f"known_keys: raise Wrong(f'{{certificate}} {_UNREAD}": _NAMES_THE_FILE,
    **{f"{function}: raise Wrong(f'{{path}} {_UNREAD}": _NAMES_THE_FILE for function in _READING},
    "json_lines: len(line) > LARGEST_IN_MEMORY": _ERROR,
    "policy_in: not quorum": "else nobody can have cosigned enough, which is said instead",
    "public_of: len(typed[1:]) != KEY_OCTETS": _ERROR,
    "known_keys: not handed_over": _NOBODY,
    "known_keys: known and (not known & handed_over)": _NOBODY,
    "verify_signature: pem is None": _ERROR,
    "verify_der: first == DER_LONG": "no signature has the 130 octets that it would then need",
    "verify: key is None": _ERROR,
    "period: key_id in self.approving": _ERROR,
    "unapproved_period: 'in_force_from' not in key": _ERROR,
    "decision_of: decision.key and 'signature' not in line": _ERROR,
    "verify_settlement: planned is None": _ERROR,
    "verify_decisions: missing": _ERROR,
    "verify_readable: is_csv(name)": _CHOICE,
    "table: name.endswith('_cents')": _CHOICE,
    "verify_register: entry[end]": _CHOICE,
    "known_persons: line.strip()": _CHOICE,
    "two_signers: step.action not in ('CASE_REFERRED', 'CASE_ALLOWED')": _CHOICE,
    "is_json: file.read(1) == b'{'": _CHOICE,
    "is_dossier: DOSSIER in archive.namelist()": _CHOICE,
    "scope_label: of[name]": _WORDS,
    "say_decisions: decision.key": _WORDS,
}
"""Refusals without which every forgery is still refused, and why they are there."""


class Forgery(NamedTuple):
    """Something forged, and what the whole script says about it."""

    arguments: Arguments
    outcome: Outcome

    def passes(self, script: Script, *, or_stops: bool) -> bool:
        """Whether the script accepts it, or stops with an error instead of words."""
        outcome = script.verdict(self.arguments)
        return outcome.is_accepted or (or_stops and outcome.status is None)

    def meets(self, refusal: Refusal) -> bool:
        """Whether the whole script may refuse it there."""
        return not refusal.lines or not self.outcome.lines.isdisjoint(refusal.lines)


@pytest.fixture(scope="module")
def shop(module_casino: str, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """What the operator exported."""
    return make_workshop(tmp_path_factory.mktemp("workshop"))


@pytest.fixture(scope="module")
def forgeries(shop: Workshop) -> dict[str, Forgery]:
    """Everything forged, once for all tests."""
    script = Script()
    made = {name: forged.make(shop) for name, forged in FORGED.items()}
    return {name: Forgery(each, script.verdict(each)) for name, each in made.items()}


@pytest.mark.slow
def test_what_is_genuine_is_accepted(shop: Workshop) -> None:
    """The control: before it is forged."""
    script, genuine = Script(), GENUINE | GENUINE_WITNESSED | GENUINE_TOTALS

    verdicts = {name: script.verdict(make(shop)) for name, make in genuine.items()}

    assert {name: said for name, said in verdicts.items() if not said.is_accepted} == {}


@pytest.mark.slow
def test_what_is_forged_is_refused_for_its_reason(forgeries: dict[str, Forgery]) -> None:
    """In words that name it."""
    said = {name: forgery.outcome.last_line for name, forgery in forgeries.items()}

    assert {name: line for name, line in said.items() if FORGED[name].words not in line} == {}
    assert {forgery.outcome.status for forgery in forgeries.values()} == {1}


def test_every_refusal_meets_something_forged(forgeries: dict[str, Forgery]) -> None:
    """A new one needs an attack."""
    unmet = [
        str(refusal)
        for refusal in refusals()
        if not any(forgery.meets(refusal) for forgery in forgeries.values())
    ]

    assert unmet == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_PARTS))
def test_without_a_refusal_something_forged_passes(
    forgeries: dict[str, Forgery], part: int
) -> None:
    """All but the second lines, none of which may become a first one unnoticed."""
    tried = refusals()[part::_PARTS]
    needless = {
        str(refusal)
        for refusal in tried
        if not any(
            forgery.passes(script, or_stops=refusal.is_translation)
            for script in map(Script, refusal.edits)
            for forgery in forgeries.values()
            if forgery.meets(refusal)
        )
    }

    assert needless == set(SECOND_LINES) & set(map(str, tried))


def test_the_lists_are_consistent() -> None:
    """None is named that is gone; and no forgery hides another one of its name."""
    assert len(FORGED) == sum(map(len, _ALL))
    assert set(SECOND_LINES) <= set(map(str, refusals()))
