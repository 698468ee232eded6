"""``/customers`` and ``/customer-tokens``: game histories and customer tokens."""
