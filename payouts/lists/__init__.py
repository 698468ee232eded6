"""Tables, limits and reasons as spreadsheets: exported, and imported after a dry run.

Each list is a resource of django-import-export whose lines are kept by the very services that the
pages call, so that an import can do nothing that a page could not, and leaves the same records.
"""
