"""What Celery's workers and beat run with: schedule, broker, reconnection, failing tasks."""
