"""Sets Django up for targets that need it; importing this module is enough."""

import django

django.setup()
