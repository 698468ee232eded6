"""What people are notified of, and the messages that workers send."""
