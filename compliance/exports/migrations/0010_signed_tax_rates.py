"""Tax rates are set on a page and signed from now on. One pass over the audit records; no lock."""

from django.db import migrations

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
    ]
