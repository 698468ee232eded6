"""The register of the rule sets used on the day."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import RULES
from compliance.exports.registers.register import Register, day, digest, integer
from compliance.exports.registers.table_expressions import BOOKED, CHANGED, NUMBERED, STAGED

RULE_SETS_IN_FORCE: Final = Register(
    key="rule_sets",
    version=1,
    row="rule_set",
    title=gettext_noop("Rule sets in force"),
    about="The rule sets of the day's stages and corrections, by digest. Two digests with one name"
    " would be two rule sets.",
    pgda="none: identification of the certified game behind the stages",
    columns=(
        RULES,
        digest("digest", "digest of the rule set's definition"),
        day("in_force_from", "first day in force", optional=True),
        integer("stages", "stages of the day"),
        integer("corrections", "corrections of the day"),
    ),
    tables=(BOOKED, NUMBERED, STAGED, CHANGED),
    select="""
        WITH used AS (
            SELECT rules, rules_digest, 1 AS stages, 0 AS corrections FROM staged
             UNION ALL
            SELECT rules, rules_digest, 0, 1 FROM changed
        )
        SELECT used.rules, used.rules_digest AS digest,
               (%(in_force_from)s::jsonb ->> used.rules)::date AS in_force_from,
               sum(used.stages)::bigint AS stages, sum(used.corrections)::bigint AS corrections
          FROM used GROUP BY used.rules, used.rules_digest
    """,
    order=('line.rules COLLATE "C"', "line.digest"),
)
