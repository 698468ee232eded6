"""One action a file. Services take time and person as arguments and know no task and no page."""
