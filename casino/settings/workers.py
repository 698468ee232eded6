"""Celery: the broker, queues, tasks and schedule."""

from casino.settings.environment import env
from casino.workers.beat_schedule import beat_schedule
from casino.workers.broker import configured_broker, tls_options, transport_options
from casino.workers.queues import task_routes

CELERY_BROKER_URL = configured_broker(env)
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(CELERY_BROKER_URL)
CELERY_BROKER_USE_SSL = tls_options(
    CELERY_BROKER_URL, authority=env.str("CELERY_BROKER_CA", default="")
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers wait for the broker without a limit
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # RabbitMQ may not have released a lost connection
CELERY_BROKER_HEARTBEAT = 30  # seconds; detects a RabbitMQ that hangs within three
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="sabot")
# Replicated queues in RabbitMQ, available while most nodes are. Valkey has no queue types.
CELERY_TASK_DEFAULT_QUEUE_TYPE = CELERY_TASK_CREATE_MISSING_QUEUE_TYPE = "quorum"
CELERY_TASK_ROUTES = task_routes(CELERY_BROKER_URL, queue=CELERY_TASK_DEFAULT_QUEUE)
# The database is the source of truth: a task is a wake-up, which may be lost, late or repeated.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_CONSUMER = "casino.workers.consumer:QuietConsumer"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "casino.workers.beat_scheduler:SteadyScheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 5  # seconds until it notices that the clock was set; Celery: 300
CELERY_BEAT_SCHEDULE = beat_schedule(CELERY_BROKER_URL, queue=CELERY_TASK_DEFAULT_QUEUE)
