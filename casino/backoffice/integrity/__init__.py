"""Settlement stops after failed checks of integrity."""
