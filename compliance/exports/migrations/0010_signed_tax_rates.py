"""Tax rates are set on a page and signed from now on. One pass over the audit records."""

from django.db import migrations, models

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("exports", "0009_signed_steps"),
    ]

    operations = [
        keep_earlier_decisions("TAX_RATE_SET"),
        migrations.AlterModelOptions(
            name="taxrate",
            options={
                "default_permissions": ("view",),
                "permissions": [("set_tax_rate", "Can set tax rates")],
                "verbose_name": "tax rate",
                "verbose_name_plural": "tax rates",
            },
        ),
        migrations.AddConstraint(
            model_name="taxrate",
            constraint=models.UniqueConstraint(
                fields=("game", "decided_at"), name="one_tax_rate_at_a_time"
            ),
        ),
    ]
