"""The stub of a package is the only list of its public names."""

import ast
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from graphs.lazy_names import public_names

PACKAGES = ["games", "graphs", "strategies"]


@pytest.mark.parametrize("package", PACKAGES)
def test_type_checkers_and_the_interpreter_read_the_same_names_from_a_stub(package: str) -> None:
    module = __import__(package)
    stub = ast.parse(Path(module.__file__ or "").with_suffix(".pyi").read_text())
    told = []
    for line in stub.body:
        assert isinstance(line, ast.ImportFrom), ast.unparse(line)
        told += [(alias.name, alias.asname, line.module) for alias in line.names]
    assert told == [(name, name, home) for name, home in public_names(package).items()]
    assert module.__all__ == sorted(name for name, _, _ in told)
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_defined_where_the_stub_says(package: str) -> None:
    module = __import__(package)
    for name, home in public_names(package).items():
        assert getattr(module, name) is getattr(sys.modules[home], name)


def test_names_load_on_first_use_from_an_archive_too(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr(
            "packed/__init__.py",
            "from graphs.lazy_names import attach_stub\n"
            "__getattr__, __dir__, __all__ = attach_stub(__name__)\n",
        )
        archive.writestr("packed/__init__.pyi", "from packed.late import answer as answer\n")
        archive.writestr("packed/late.py", "answer = 42\n")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import packed\n"
        "print('packed.late' in sys.modules, packed.answer, 'packed.late' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "packed.zip")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "42", "True"]
