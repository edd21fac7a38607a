"""Build the documentation site with a folder for each version and a list to switch between them.

    ./run python docs/versions.py FOLDER              builds FOLDER/0.1.0, the project's version
    ./run python docs/versions.py FOLDER --name next  builds FOLDER/next

Versions that are already in the folder stay. FOLDER/index.html leads to the newest release. The
pages load nothing from other sites, so the folder works on a server and from disk.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.version import InvalidVersion, Version

HERE = Path(__file__).parent
LIST = "versions.js"
"""The list of all versions and their pages, which the pages of every version load."""


def built(folder: Path) -> list[str]:
    """Return the versions in a folder, the newest release first, other names than versions last."""
    names = [page.parent.name for page in folder.glob("*/index.html")]
    return sorted(sorted(names), key=_age, reverse=True)


def _age(name: str) -> tuple[bool, bool, Version]:
    try:
        version = Version(name)
    except InvalidVersion:
        return False, False, Version("0")
    return True, not version.is_prerelease, version


def listed(folder: Path) -> str:
    """Return the text of the list: each version with its pages."""
    pages = {
        name: sorted(
            p.relative_to(folder / name).as_posix() for p in folder.glob(f"{name}/**/*.html")
        )
        for name in built(folder)
    }
    return f"const versions = {json.dumps(pages)};\nshowVersions(versions);\n"


def write_list(folder: Path) -> None:
    """Write the list, and the page that leads to the newest version.

    Requires: at least one version in the folder.
    """
    newest = built(folder)[0]
    (folder / LIST).write_text(listed(folder), encoding="utf-8")
    (folder / "index.html").write_text(
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="refresh" content="0; url={newest}/index.html">\n'
        f'<title>Jamboree</title>\n<p><a href="{newest}/index.html">Jamboree {newest}</a></p>\n'
        "</html>\n",
        encoding="utf-8",
    )


def build(folder: Path, name: str) -> None:
    """Build these sources as one version in the folder, completely or not at all.

    Raises: CalledProcessError if Sphinx reports an error or a warning.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".building-", dir=folder) as place:
        new = Path(place) / "html"
        command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet",
                   "-t", "versions", "-D", f"release={name}", "-d", f"{place}/doctrees",
                   str(HERE), str(new)]  # fmt: skip
        subprocess.run(command, check=True)
        if (folder / name).exists():
            (folder / name).rename(Path(place) / "before")
        new.rename(folder / name)
    write_list(folder)


def main() -> None:
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("folder", type=Path)
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
    options.add_argument("--name", default=project["version"])
    chosen = options.parse_args()
    if not re.fullmatch(r"\w[\w.+-]*", chosen.name):
        options.error(f"--name must name a folder, such as 1.2 or next, not {chosen.name!r}")
    try:
        build(chosen.folder, chosen.name)
    except subprocess.CalledProcessError as error:
        sys.exit(f"versions: the build failed; {chosen.folder} is unchanged ({error})")
    print(f"{chosen.folder}: {', '.join(built(chosen.folder))}")


if __name__ == "__main__":
    main()
