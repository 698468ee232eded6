from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("archive", "0001_rejudging")]

    operations = [
        migrations.AlterModelOptions(
            name="rejudgerun",
            options={
                "default_permissions": (),
                "permissions": [("query_archive", "Can query the archive")],
                "verbose_name": "repeated evaluation of the archive",
                "verbose_name_plural": "repeated evaluations of the archive",
            },
        ),
    ]
