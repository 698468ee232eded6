"""Changes of the schema by its owner, each with the object that the comparison has to name."""

from collections.abc import Iterator
from typing import Final

from compliance.storage.database_roles.role import DatabaseRole, role_name
from compliance.storage.schema_objects.declared import declared_triggers

STEPS: Final = "payouts_casestep"
ROLE: Final = "somebody"
WEB: Final = role_name(DatabaseRole.WEB)
DECIDED: Final = "case_decided_by_another"
"""The trigger of the four eyes."""
_EMPTY: Final = "AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql"


def pgid(table: str, name: str) -> str:
    """A trigger of a table, and its function."""
    return next(trigger for of, trigger in declared_triggers() if of == table and name in trigger)


def attacks() -> Iterator[tuple[str, str]]:
    """Changes by an owner, with the object to be reported."""
    four_eyes = pgid(STEPS, DECIDED)
    trigger, function = f"trigger {four_eyes} on {STEPS}", f"function {four_eyes}"
    alter = f"ALTER TABLE {STEPS}"
    again = f"DROP TRIGGER {four_eyes} ON {STEPS}; CREATE TRIGGER {four_eyes}"
    for_each_row = f"ON {STEPS} FOR EACH ROW"
    condition = "WHEN (NEW.action IN ('approved', 'rejected'))"
    yield f"DROP TRIGGER {four_eyes} ON {STEPS}", trigger
    yield f"{alter} DISABLE TRIGGER {four_eyes}", trigger
    yield f"{alter} ENABLE REPLICA TRIGGER {four_eyes}", trigger
    yield (
        f"{again} BEFORE INSERT {for_each_row} WHEN (false) EXECUTE FUNCTION {four_eyes}()",
        trigger,
    )
    narrow = "WHEN (NEW.action IN ('approved'))"
    yield f"{again} BEFORE INSERT {for_each_row} {narrow} EXECUTE FUNCTION {four_eyes}()", trigger
    yield (
        f"{again} BEFORE UPDATE {for_each_row} {condition} EXECUTE FUNCTION {four_eyes}()",
        trigger,
    )
    other = pgid(STEPS, "no_update")
    yield f"{again} BEFORE INSERT {for_each_row} {condition} EXECUTE FUNCTION {other}()", trigger
    replace = f"CREATE OR REPLACE FUNCTION {four_eyes}() RETURNS trigger"
    yield f"{replace} SET search_path = public, pg_temp {_EMPTY}", function
    yield f"ALTER FUNCTION {four_eyes}() RESET search_path", function
    yield f"ALTER FUNCTION {four_eyes}() SET search_path = pg_temp, public", function
    yield f"ALTER FUNCTION {four_eyes}() SECURITY DEFINER", function
    yield f"ALTER FUNCTION {four_eyes}() SET pgtrigger.ignore = '{{{four_eyes}}}'", function
    yield f"ALTER FUNCTION {four_eyes}() OWNER TO {ROLE}", function
    yield f"ALTER TABLE {STEPS} OWNER TO {ROLE}", f"table {STEPS}"
    yield (
        f"CREATE RULE quiet AS ON INSERT TO {STEPS} DO INSTEAD NOTHING",
        f"rule quiet on {STEPS}",
    )
    yield (
        f"CREATE TRIGGER mine BEFORE INSERT {for_each_row} EXECUTE FUNCTION {other}()",
        (f"trigger mine on {STEPS}"),
    )
    yield (
        "CREATE FUNCTION mine() RETURNS void SECURITY DEFINER LANGUAGE sql AS ''",
        "function mine",
    )
    yield "DROP FUNCTION rounds_claim", "function rounds_claim"
    yield "ALTER FUNCTION rounds_closed_to() RESET ALL", "function rounds_closed_to"
    yield (
        "CREATE FUNCTION trail_key(one text) RETURNS text LANGUAGE sql AS 'SELECT one'",
        "function trail_key",
    )
    yield (
        "ALTER DATABASE {database} SET session_replication_role = replica",
        "setting of every role in {database}",
    )
    yield (
        f"ALTER ROLE {ROLE} SET session_replication_role = replica",
        f"setting of {ROLE} in every database",
    )
    yield f"{alter} ENABLE ROW LEVEL SECURITY", f"row security of {STEPS}"
    yield f"CREATE POLICY mine ON {STEPS} USING (true)", f"row security of {STEPS}"
    truncate = pgid("rounds_bet", "no_truncate")
    yield f"DROP TRIGGER {truncate} ON {{part}}", f"trigger {truncate} on {{part}}"
    update = pgid("rounds_bet", "no_update")
    yield f"ALTER TABLE {{part}} DISABLE TRIGGER {update}", f"trigger {update} on {{part}}"


def constraints() -> Iterator[tuple[str, str]]:
    """Constraints that are dropped or weakened, and how they are named."""
    yield (
        f"ALTER TABLE {STEPS} DROP CONSTRAINT {STEPS}_pkey",
        f"primary key (case_id, sequence) of {STEPS}",
    )
    transfer = "check transfer_moves_money on payouts_transfer"
    drop = "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_moves_money"
    yield drop, transfer
    yield f"{drop}, ADD CONSTRAINT transfer_moves_money CHECK (amount_cents > -1)", transfer
    count = "case_steps_count_from_one"
    drop = f"ALTER TABLE {STEPS} DROP CONSTRAINT {count}"
    yield (
        f"{drop}, ADD CONSTRAINT {count} CHECK (sequence >= 1) NOT VALID",
        f"check {count} on {STEPS}",
    )
    yield (
        "ALTER TABLE payouts_dayclosing DROP CONSTRAINT closing_of_a_closed_day",
        "foreign key (day) of payouts_dayclosing to rounds_closedday (day)",
    )
    drop, unique = "DROP INDEX dispute_reopened_once", "unique (dispute_id) of payouts_disputestep"
    create = "CREATE UNIQUE INDEX dispute_reopened_once ON payouts_disputestep (dispute_id)"
    yield drop, unique
    yield f"{drop}; {create} WHERE action = 'nothing'", unique


def grants() -> Iterator[tuple[str, str]]:
    """Rights that somebody was given, and how they are named."""
    yield f"GRANT UPDATE ON {STEPS} TO {ROLE}", f"rights of {ROLE} on {STEPS}"
    yield f"GRANT UPDATE (action) ON {STEPS} TO {ROLE}", f"rights of {ROLE} on {STEPS}"
    yield f"GRANT TRIGGER ON {STEPS} TO {ROLE}", f"rights of {ROLE} on {STEPS}"
    yield f"GRANT SELECT ON {STEPS} TO PUBLIC", f"rights of PUBLIC on {STEPS}"
    yield f"GRANT TRUNCATE ON {{part}} TO {ROLE}", f"rights of {ROLE} on {{part}}"
    yield f"GRANT UPDATE ON SEQUENCE trail_batch TO {ROLE}", f"rights of {ROLE} on trail_batch"
    yield (
        f"GRANT EXECUTE ON FUNCTION trail_guard_partition TO {ROLE}",
        f"rights of {ROLE} on function trail_guard_partition",
    )
    yield (
        "GRANT EXECUTE ON FUNCTION trail_make_partition TO PUBLIC",
        "rights of PUBLIC on function trail_make_partition",
    )
    yield f"GRANT CREATE ON SCHEMA public TO {ROLE}", f"rights of {ROLE}"
    yield f"GRANT CREATE ON DATABASE {{database}} TO {ROLE}", f"rights of {ROLE}"
    yield f"ALTER DEFAULT PRIVILEGES GRANT INSERT ON TABLES TO {ROLE}", f"rights of {ROLE}"
    yield f"GRANT SELECT ON auth_user TO {ROLE}", f"rights of {ROLE} on auth_user"
    yield f"GRANT INSERT ON payouts_settlement TO {WEB}", f"rights of {WEB} on payouts_settlement"
    yield f"GRANT UPDATE ON {STEPS} TO {WEB}", f"rights of {WEB} on {STEPS}"
    yield f"REVOKE INSERT ON {STEPS} FROM {WEB}", f"rights of {WEB} on {STEPS}"
    yield (
        f"GRANT EXECUTE ON FUNCTION trail_make_partition TO {WEB}",
        f"rights of {WEB} on function trail_make_partition",
    )
    yield f"ALTER ROLE {WEB} BYPASSRLS", f"rights of {WEB}"
    yield f"GRANT {role_name(DatabaseRole.WORKER)} TO {WEB}", f"rights of {WEB}"
    yield f"GRANT SET ON PARAMETER session_replication_role TO {ROLE}", f"rights of {ROLE}"
    yield f"GRANT SELECT ON {STEPS} TO {ROLE}; GRANT {{owner}} TO {ROLE}", f"rights of {ROLE}"
