"""What is done about keys, rates and answers."""
