"""Notifications to people: in Sabot, by e-mail and in the chat."""
