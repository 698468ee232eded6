from django.db import migrations

# A round that no worker has tried is due at once, whatever the clocks of its host and of the worker
# say: its due time is that of a host whose clock may be ahead. Rounds of suspended tables wait.
_BEFORE = "due_at <= due"
_NOW = f"{_BEFORE} OR attempts = 0 AND due_at < '9999-12-31 00:00:00+00'"
_CLAIM = """
    CREATE OR REPLACE FUNCTION rounds_claim(due timestamptz, most_rounds integer, most_bets bigint)
    RETURNS SETOF uuid LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
        waiting CURSOR FOR
            SELECT round_id, bet_count FROM rounds_queuedround
             WHERE {is_due} ORDER BY arrival LIMIT most_rounds FOR UPDATE SKIP LOCKED;
        bets bigint := 0;
    BEGIN
        FOR one IN waiting LOOP
            RETURN NEXT one.round_id;
            bets := bets + one.bet_count;
            EXIT WHEN bets >= most_bets;
        END LOOP;
    END
    $$
"""


class Migration(migrations.Migration):
    """A clock that is ahead delays no settlement."""

    dependencies = [("rounds", "0028_lists_by_time")]

    operations = [
        migrations.RunSQL(_CLAIM.format(is_due=_NOW), _CLAIM.format(is_due=_BEFORE)),
    ]
