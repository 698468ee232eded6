from typing import Any

from django.db import migrations


def add_reason(apps: Any, _editor: Any) -> None:
    """What cases are opened for by an alarm; one that the operator has under the code stays."""
    apps.get_model("payouts", "Reason").objects.get_or_create(
        code="drift",
        defaults={
            "purpose": "malfunction",
            "text_it": "Scostamento visto dal monitor dei tavoli",
            "text_en": "Drift seen by the table monitor",
        },
    )


class Migration(migrations.Migration):
    dependencies = [
        ("monitoring", "0001_initial"),
        ("payouts", "0016_legal_holds"),
    ]
    run_before = [("payouts", "0038_signed_reasons")]  # from then on only persons add reasons

    operations = [migrations.RunPython(add_reason, migrations.RunPython.noop)]
