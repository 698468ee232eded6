"""What runs in the browser, by Python for WebAssembly: the checks, and the round as a page."""
