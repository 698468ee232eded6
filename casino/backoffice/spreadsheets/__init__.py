"""Tables, limits and reasons as spreadsheets: export, and import after a dry run.

Each list is a resource of django-import-export whose lines are saved by the services that the
pages use, with the same checks and the same audit records.
"""
