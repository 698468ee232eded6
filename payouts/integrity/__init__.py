"""Settlement stops at a failed check of integrity, until two persons resume it by signature."""
