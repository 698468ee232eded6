"""What pyproject.toml cannot say: the package has ``templates/`` inside ``casino``."""

from setuptools import find_packages, setup  # type: ignore[import-untyped]  # no stubs

_PACKAGES = ["casino", "compliance", "payouts", "rounds"]

setup(
    packages=[
        *find_packages(include=[name for top in _PACKAGES for name in (top, f"{top}.*")]),
        "casino.templates",
    ],
    package_dir={"casino.templates": "templates"},
    package_data={"": ["**"]},
    options={"build": {"build_base": "var/wheel"}},
)
