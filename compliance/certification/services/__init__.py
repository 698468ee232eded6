"""What is decided about the weights that returns rest on."""
