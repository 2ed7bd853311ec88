"""Makes Wine 8.0 able to run numpy: a DLL of mathematics with the complex functions, and the wheels made to use it.

Usage: shim_math.py PYTHON_FOLDER COMPILER. The new DLL's name is as long as the old one, which is replaced in place. For
Wine only: on Windows the system's own DLL has these functions.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLD, NEW = b"api-ms-win-crt-math-l1-1-0.dll", b"boardsight-wine-crt-math-0.dll"
_NAMES = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh proj"
OF_ONE = {"conj", *(f"c{name}" for name in _NAMES.split())}
TO_REAL = {"creal", "cimag", "carg", "cabs"}
HEAD = """#include <complex.h>
#include <math.h>
typedef struct { double r, i; } D;
typedef struct { float r, i; } F;
static double complex in_D(D z) { double complex w; __real__ w = z.r; __imag__ w = z.i; return w; }
static double complex in_F(F z) { double complex w; __real__ w = z.r; __imag__ w = z.i; return w; }
static D out_D(double complex w) { D z = {__real__ w, __imag__ w}; return z; }
static F out_F(double complex w) { F z = {__real__ w, __imag__ w}; return z; }
"""


def imported(path: Path) -> Iterator[str]:
    """The functions that a file takes from the DLL of mathematics."""
    told = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", path], capture_output=True, text=True).stdout
    part = re.search(r"DLL Name: (?:api-ms-win|boardsight-wine)-crt-math.*?\n\n", told, re.S)
    yield from re.findall(r"^\t[0-9a-f]+\t.*?(\w+)$", part[0], re.M) if part else ()


def made(name: str) -> str | None:
    """The function in C, where Wine lacks it."""
    base = name[:-1] if name[-1] in "fl" and name != "conj" else name
    kind, real = ("F", "float") if name.endswith("f") else ("D", "double")
    if base in OF_ONE:
        return f"{kind} x_{name}({kind} z) {{ return out_{kind}({base}(in_{kind}(z))); }}"
    if base == "cpow":
        return (
            f"{kind} x_{name}({kind} a, {kind} b) {{ return out_{kind}(cpow(in_{kind}(a), in_{kind}(b))); }}"
        )
    if base in TO_REAL:
        return f"{real} x_{name}({kind} z) {{ return {base}(in_{kind}(z)); }}"
    return None


def main(root: Path, compiler: str) -> None:
    files = [
        path
        for path in root.rglob("*")
        if path.suffix.lower() in (".pyd", ".dll") and "site-packages" in path.parts
    ]
    names = sorted({name for path in files for name in imported(path)})
    bodies = {name: made(name) for name in names}
    exports = [f"{name} = x_{name}" if body else f"{name} = ucrtbase.{name}" for name, body in bodies.items()]
    Path("math.c").write_text(HEAD + "\n".join(filter(None, bodies.values())) + "\n")
    Path("math.def").write_text("\n".join([f"LIBRARY {NEW.decode()}", "EXPORTS", *exports]) + "\n")
    how = ["-shared", "-static", "-O2", "-fno-builtin", "-o", root / NEW.decode(), "math.c", "math.def"]
    subprocess.run([compiler, *how], check=True)
    for path in files:
        data = path.read_bytes()
        if OLD in data:
            path.write_bytes(data.replace(OLD, NEW))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
