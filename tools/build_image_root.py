"""Build the file system of the container: an interpreter, the package and what they load, and nothing else.

    python tools/build_image_root.py ENVIRONMENT ROOT

ENVIRONMENT is a virtual environment with the package. What the server never loads is left out: tests, headers, type
stubs, sources, tools of the packages, and packages that only other uses of a dependency need (`OMITTED`). ROOT then
holds all that a process needs, so that the image starts from nothing: no shell, no package manager.
tools/check_container.py builds it too, and runs the server inside.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# Folders and files of the environment that the server never loads, below its packages.
OMITTED = """
pip pip-* setuptools setuptools-* _distutils_hack distutils-precedence.pth
pandas pandas-* pandas.libs dateutil python_dateutil-* six.py six-* pytz pytz-* tzdata tzdata-*
hf_xet hf_xet-* huggingface_hub huggingface_hub-* fsspec fsspec-* tqdm tqdm-* filelock filelock-*
httpx2 httpx2-* httpcore2 httpcore2-* truststore truststore-* pkg_resources pycparser pycparser-*
pygments/lexers/[a-z]* pypdfium2_cli stdnum/oui.dat
onnxruntime/capi/libonnxruntime.so* onnxruntime/transformers onnxruntime/tools
onnxruntime/quantization onnxruntime/datasets onnxruntime/backend
ortools/algorithms ortools/bop ortools/constraint_solver ortools/glop ortools/graph ortools/init
ortools/linear_solver ortools/math_opt ortools/packing ortools/pdlp ortools/scheduling
ortools/service ortools/set_cover ortools/sat/colab
phonenumbers/geodata phonenumbers/carrierdata phonenumbers/tzdata
numpy/f2py numpy/_core/include numpy/_core/lib numpy/_core/_simd* numpy/random/lib
lxml/includes lxml/isoschematron lxml/objectify* lxml/html PIL/_avif* pillow.libs/libavif*
""".split()
LIBRARY = """
test idlelib tkinter turtledemo ensurepip lib2to3 pydoc_data site-packages distutils config-*
lib-dynload/_tkinter* lib-dynload/_test* lib-dynload/nis* lib-dynload/readline* lib-dynload/_curses*
lib-dynload/_dbm* lib-dynload/_gdbm* lib-dynload/ossaudiodev* lib-dynload/xx* unittest/test ctypes/test
""".split()
SUFFIXES = frozenset((".pyi", ".pyx", ".pxd", ".h", ".a", ".c", ".cpp", ".proto"))
NAMES = frozenset(("__pycache__", "tests"))
LINKED = re.compile(r"(?:=> |^\s+)(/\S+) \(0x", re.MULTILINE)
# OR-Tools imports pandas for two classes that no call here uses; whoever asks for more is told that it is missing.
PANDAS = """class Index: ...
class Series: ...
def __getattr__(name):
    kind = AttributeError if name.startswith("__") else ImportError
    raise kind("pandas is not in this image")
"""
PEOPLE = "root:x:0:0:root:/:/none\nmaskwise:x:10001:10001::/state:/none\n"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    size = build_root(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"the image holds {size:,} bytes")


def build_root(env: Path, root: Path) -> int:
    """Fill a new folder with the file system of the image. Returns its bytes."""
    packages = next((env / "lib").glob("python3.*")) / "site-packages"
    python = Path(subprocess.check_output([env / "bin" / "python", "-c", ASKED], text=True))
    home = python.parent.parent
    library = home / "lib" / packages.parent.name
    omitted = {path for pattern in OMITTED for path in packages.glob(pattern)}
    copy_tree(env, root, omitted)
    (place(packages, root) / "pandas.py").write_text(PANDAS)
    omitted = {path for pattern in LIBRARY for path in library.glob(pattern)}
    copy_tree(library, root, omitted)
    copy_file(python, root)
    copy_libraries(root)
    strip_binaries(root)
    for name in ("etc", "tmp", "state"):
        (root / name).mkdir(exist_ok=True)
    (root / "etc" / "passwd").write_text(PEOPLE)
    return measure(root)


ASKED = "import os, sys; print(os.path.realpath(sys.executable), end='')"


def copy_tree(source: Path, root: Path, omitted: set[Path]) -> None:
    """Copy a folder to the same place below the root, without what is omitted."""

    def choose(folder: str, names: list[str]) -> Iterable[str]:
        return [
            name
            for name in names
            if name in NAMES or Path(name).suffix in SUFFIXES or Path(folder, name) in omitted
        ]

    shutil.copytree(source, place(source, root), symlinks=True, ignore=choose, dirs_exist_ok=True)


def copy_file(source: Path, root: Path) -> None:
    """Copy a file to the same place, under the name that others link to and under its own."""
    target = place(source, root)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        shutil.copy2(source, target)


def place(source: Path, root: Path) -> Path:
    return root / source.absolute().relative_to("/")


def copy_libraries(root: Path) -> None:
    """Copy the libraries of the system that programs and modules of the root link to."""
    linking = [path for path in list_files(root) if is_binary(path)]
    found: set[str] = set()
    for path in linking:
        # Asked where the file came from: its own libraries stand beside it there.
        source = Path("/") / path.relative_to(root)
        told = subprocess.run(["ldd", source], capture_output=True, text=True).stdout
        found.update(LINKED.findall(told))
    for name in sorted(found):
        copy_file(Path(name), root)


def strip_binaries(root: Path) -> None:
    """Take symbols for debuggers away, save from what would not load afterwards."""
    if not shutil.which("strip"):
        return
    for path in list_files(root):
        if is_binary(path) and not is_repacked(path):
            subprocess.run(["strip", "--strip-unneeded", path], check=True)


def is_repacked(path: Path) -> bool:
    """Whether a wheel brings this library, or finds those that it brings by it: its parts were moved for that."""
    if any(folder.name.endswith(".libs") for folder in path.parents):
        return True
    told = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
    return "(RPATH)" in told or "(RUNPATH)" in told


def is_binary(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def list_files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]


def measure(root: Path) -> int:
    return sum(path.stat().st_size for path in list_files(root))


if __name__ == "__main__":
    main()
