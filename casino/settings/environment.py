"""The environment that settings are read from, the folders, and the kind of the installation."""

from pathlib import Path

import environ

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent.parent
is_clone = (BASE_DIR / "manage.py").exists()
# The package has the templates inside casino: nothing of ours is called so in site-packages.
templates_folder = BASE_DIR / "templates" if is_clone else BASE_DIR / "casino" / "templates"
VAR_DIR = Path(env.str("SABOT_VAR", default="") or (BASE_DIR if is_clone else Path.cwd()) / "var")

DEBUG = env.bool("DEBUG", default=False)
DEMO = env.bool("DEMO", default="DATABASE_URL" not in env.ENVIRON)
# For integrators: nothing in it is real. The database must say the same (compliance.trail.sandbox).
SANDBOX = env.bool("SANDBOX", default=DEMO)
SANDBOX_RESET_AT = env.str("SANDBOX_RESET_AT", default="")

# The letterhead of PDFs. Its lines are left out where nothing names them.
OPERATOR_NAME = env.str("OPERATOR_NAME", default="Demo operator" if DEMO else "")
OPERATOR_LICENCE = env.str("OPERATOR_LICENCE", default="GAD 00000" if DEMO else "")
VERIFICATION_PAGE = env.str("VERIFICATION_PAGE", default=str(VAR_DIR / "verification-page.html"))
ADR_CONTACT = env.str("ADR_CONTACT", default="adr@demo.invalid" if DEMO else "")
