"""Figures by hour, dealer, shift and location. New tables: nothing existing is rewritten."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("monitoring", "0005_figures_by_table"),
        ("rounds", "0025_earlier_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="CountedHour",
            fields=[
                ("hour", models.DateTimeField(primary_key=True, serialize=False)),
                ("rounds", models.BigIntegerField()),
                ("settlements", models.BigIntegerField()),
                ("held", models.BigIntegerField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="HourlyDealing",
            fields=[
                ("hour", models.DateTimeField()),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
                ("dealer", models.CharField(max_length=64, verbose_name="dealer")),
                ("shift", models.CharField(max_length=64, verbose_name="shift")),
                ("location", models.CharField(max_length=64, verbose_name="location")),
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "hour",
                        "table_id",
                        "rules",
                        "dealer",
                        "shift",
                        "location",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("rounds", models.BigIntegerField(verbose_name="rounds")),
                ("errors", models.BigIntegerField()),
                ("error_rounds", models.BigIntegerField()),
                ("malfunctions", models.BigIntegerField()),
                ("void_rounds", models.BigIntegerField(verbose_name="void rounds")),
                ("implausible", models.BigIntegerField()),
                ("corrected", models.BigIntegerField()),
                ("settled_rounds", models.BigIntegerField()),
                ("staked_cents", models.BigIntegerField(verbose_name="staked")),
                ("staked_chips_cents", models.BigIntegerField()),
                ("payout_cents", models.BigIntegerField(verbose_name="paid")),
                ("payout_chips_cents", models.BigIntegerField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.table",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="HourlyLatency",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "hour",
                        "table_id",
                        "rules",
                        "shift",
                        "bucket",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("hour", models.DateTimeField()),
                ("rules", models.CharField(max_length=64)),
                ("shift", models.CharField(max_length=64)),
                ("bucket", models.SmallIntegerField()),
                ("rounds", models.BigIntegerField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.table",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="DealingError",
            fields=[
                ("hour", models.DateTimeField()),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
                ("dealer", models.CharField(max_length=64, verbose_name="dealer")),
                ("shift", models.CharField(max_length=64, verbose_name="shift")),
                ("location", models.CharField(max_length=64, verbose_name="location")),
                (
                    "round",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="rounds.round",
                    ),
                ),
                ("malfunction", models.BooleanField()),
                ("is_void", models.BooleanField()),
                ("is_implausible", models.BooleanField()),
                ("is_corrected", models.BooleanField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.table",
                    ),
                ),
            ],
            options={
                "verbose_name": "round with an error",
                "verbose_name_plural": "rounds with errors",
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(fields=["dealer", "-round"], name="dealing_error_by_dealer"),
                    models.Index(fields=["hour"], name="dealing_error_by_hour"),
                ],
            },
        ),
    ]
