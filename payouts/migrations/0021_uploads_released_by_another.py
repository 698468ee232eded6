import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    """Nobody approves what he uploaded; nothing is paid on a held round without a case."""

    dependencies = [
        ("rounds", "0016_held_on_arrival"),
        ("payouts", "0020_verdict_proposals"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="casestep",
            trigger=pgtrigger.compiler.Trigger(
                name="case_approved_by_no_uploader",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.\"action\" = 'approved')",
                    func="\n                    IF EXISTS (SELECT FROM payouts_caseround AS about\n                                 JOIN rounds_round AS round ON round.id = about.round_id\n                                 JOIN payouts_feedupload AS upload\n                                   ON upload.source = round.source AND upload.delivery IS NULL\n                                WHERE about.case_id = NEW.case_id\n                                  AND 'unsigned-source' = ANY(round.arrival_anomalies)\n                                  AND (upload.actor_user_id = NEW.actor_user_id\n                                       OR lower(upload.actor) = lower(NEW.actor))) THEN\n                        RAISE EXCEPTION 'case %: % uploaded a round of it, another has to approve',\n                            NEW.case_id, NEW.actor USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="190d1b5738ca3e6f63d6a57a3f68e945fe9f2980",
                    operation="INSERT",
                    pgid="pgtrigger_case_approved_by_no_uploader_962d8",
                    table="payouts_casestep",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayclosing",
            trigger=pgtrigger.compiler.Trigger(
                name="days_left_out_are_empty",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE latest date;",
                    func="\n        SELECT max(day) INTO latest FROM payouts_dayclosing;\n        IF EXISTS (SELECT FROM payouts_settlement WHERE booked_on > latest AND booked_on < NEW.day)\n           OR EXISTS (SELECT FROM payouts_payover WHERE booked_on > latest AND booked_on < NEW.day)\n           OR EXISTS (SELECT FROM payouts_goodwillcredit\n                       WHERE booked_on > latest AND booked_on < NEW.day) THEN\n            RAISE EXCEPTION 'found day %; needed the day after the last that is closed', NEW.day\n                USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NEW;\n    ",
                    hash="f99a46ec5f247b6a8b51ba731f2b4b785ebe05da",
                    operation="INSERT",
                    pgid="pgtrigger_days_left_out_are_empty_d2f5f",
                    table="payouts_dayclosing",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="feedupload",
            trigger=pgtrigger.compiler.Trigger(
                name="upload_sender_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n        IF TG_OP = 'DELETE' THEN\n            RAISE EXCEPTION 'upload %: who sent what is never deleted', OLD.id\n                USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        IF (NEW.actor, NEW.actor_user_id, NEW.delivery, NEW.uploaded_at)\n           IS DISTINCT FROM (OLD.actor, OLD.actor_user_id, OLD.delivery, OLD.uploaded_at)\n           OR OLD.source <> '' AND (NEW.source, NEW.digest) <> (OLD.source, OLD.digest) THEN\n            RAISE EXCEPTION 'upload %: who sent what is never changed', OLD.id\n                USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NEW;\n    ",
                    hash="77c8674ad242416f621a2a2ef19efdc14df2b7c7",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_upload_sender_stays_fe8dd",
                    table="payouts_feedupload",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_released",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE unreleased uuid;",
                    func="\n        SELECT round.id INTO unreleased\n          FROM rounds_round AS round\n         WHERE round.id = ANY (ARRAY(SELECT round_id FROM new_settlements\n                                      WHERE kind <> 'void' OR approved_by IS NULL))\n           AND round.arrival_anomalies <> '{}'\n           AND NOT EXISTS (SELECT FROM payouts_caseround AS about\n                             JOIN payouts_casestep AS step\n                               ON step.case_id = about.case_id AND step.action = 'approved'\n                            WHERE about.round_id = round.id)\n         LIMIT 1;\n        IF unreleased IS NOT NULL THEN\n            RAISE EXCEPTION 'round % is held since its arrival, and no case releases it',\n                unreleased USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NULL;\n    ",
                    hash="45d0a5b2e023c82927e2c940fc46f2dfe85f3221",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_settlement_released_39209",
                    referencing="REFERENCING NEW TABLE AS new_settlements ",
                    table="payouts_settlement",
                    when="AFTER",
                ),
            ),
        ),
    ]
