from django.db import migrations

# A loop over a named cursor locks a row only when it comes to it, and so never one that the batch
# then leaves: a plain SELECT ... LIMIT locks as many rounds as a batch may have, though the first
# of them fills it, and everybody else finds nothing to do.
_MAKE = """
    CREATE FUNCTION rounds_claim(due timestamptz, most_rounds integer, most_bets bigint)
    RETURNS SETOF uuid LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
        waiting CURSOR FOR
            SELECT round_id, bet_count FROM rounds_queuedround
             WHERE due_at <= due ORDER BY arrival LIMIT most_rounds FOR UPDATE SKIP LOCKED;
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
_UNMAKE = "DROP FUNCTION rounds_claim(timestamptz, integer, bigint)"


class Migration(migrations.Migration):
    """A batch locks the rounds that it takes, and no others."""

    dependencies = [("rounds", "0007_open_documents")]

    operations = [migrations.RunSQL(_MAKE, _UNMAKE)]
