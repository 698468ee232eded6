"""The database, its replica and its roles."""

from casino.databases import configured_database, databases
from casino.settings.environment import env

DATABASES = databases(
    configured_database(env),
    replica_url=env.str("DATABASE_REPLICA_URL", default=None),
    direct_url=env.str("DATABASE_DIRECT_URL", default=None),
    is_pooled=env.bool("DATABASE_POOLED", default=False),
    statement_seconds=env.int("STATEMENT_SECONDS", default=0),
)
DATABASE_ROLE_PREFIX = env.str("DATABASE_ROLE_PREFIX", default="sabot_")
DATABASE_ROUTERS = ["compliance.storage.replica.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
