"""A person's notifications, and how they want them."""
