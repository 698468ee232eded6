"""django-hordak with settings and a process of its own; nothing of Sabot ever imports it."""
