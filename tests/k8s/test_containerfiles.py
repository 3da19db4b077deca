"""What images are made of, as far as it can be read: pinned bases, a user that is not root, the project's versions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.k8s.manifests import OVERLAYS, ROOT, overlay, workloads

pytestmark = pytest.mark.slow

FILES = ("Containerfile", "Containerfile.bots")
USER = 10001


def instructions(file: str) -> list[tuple[str, str]]:
    """The instructions, each with its arguments on one line."""
    text = (ROOT / file).read_text(encoding="utf-8")
    joined = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


@pytest.mark.parametrize("file", FILES)
def test_images_are_pinned_and_not_root(file: str) -> None:
    """Each stage starts from an image with a whole version, by an argument; the last user is that of the manifests."""
    found = instructions(file)
    defaults = dict(rest.split("=", 1) for word, rest in found if word == "ARG")
    for word, rest in found:
        if word == "FROM":
            base = defaults[rest.split()[0].strip("${}")]
            assert re.search(r":\d+\.\d+\.\d+(-[a-z-]+)?$", base), base
    assert [rest for word, rest in found if word == "USER"][-1] == f"{USER}:{USER}"
    users = {each.pod["spec"]["securityContext"]["runAsUser"] for name in OVERLAYS for each in workloads(overlay(name))}
    assert users == {USER}


def test_the_context_has_what_the_package_is_made_of() -> None:
    """The build sees each folder that goes into the wheel, and what it reads itself; not the repository's rest."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {Path(name).parts[0] for name in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]}
    assert packages | {"*.py", "constraints.txt", "pyproject.toml", ".gitignore"} <= sent
    assert not {".git", "tests", ".venv", "k8s"} & sent
    assert all(list(ROOT.glob(name)) for name in sent)


def test_the_bots_image_stands_on_the_platform() -> None:
    """It is the platform of the same version, with more in it."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert ("ARG", f"PLATFORM=localhost/king-arena:{version}") in instructions("Containerfile.bots")
