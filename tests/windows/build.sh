#!/usr/bin/env bash
# Windows for real, as far as Wine is: a Windows CPython 3.11 with boardsight in it, and the Windows programs of Simon
# Tatham's collection. Usage: build.sh FOLDER, with DISPLAY set. About 100 MB of packages, 1 GB in FOLDER.
# Needs root (apt), uv and a Python 3.11 of this system. Everything comes from Debian and PyPI.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
checkout=$(readlink -f "$here/../..")
mkdir -p "$1"
home=$(readlink -f "$1")
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq --no-install-recommends wine wine64 xvfb openbox unzip cmake make dpkg-dev sgt-puzzles \
  gcc-mingw-w64-x86-64-posix binutils-mingw-w64-x86-64 >/dev/null
cc=x86_64-w64-mingw32-gcc

cd "$home"
rm -rf python unpacked wheels dist
mkdir -p python/DLLs python/Lib unpacked wheels

# 1. Panda3D's Windows wheel carries PSF's own python311.dll (3.11.9), the standard library's extensions and Tcl/Tk.
uv run --no-project --python 3.11 --with pip pip download -q --no-deps --platform win_amd64 --python-version 311 \
  --implementation cp --only-binary=:all: -d wheels panda3d==1.10.16
unzip -q -o wheels/*.whl 'deploy_libs/*' -d unpacked
cp unpacked/deploy_libs/python311.dll unpacked/deploy_libs/VCRUNTIME140*.dll python/
cp unpacked/deploy_libs/*.pyd unpacked/deploy_libs/{lib*,sqlite3,t*86t}.dll python/DLLs/

# 2. The pure-Python part of the standard library is the same on every system.
library=$("$(uv python find 3.11)" -c 'import os; print(os.path.dirname(os.__file__))')
tar -C "$library" -cf - --exclude={site-packages,dist-packages,lib-dynload,__pycache__,./test,'./config-*'} . |
  tar -xf - -C python/Lib

# 3. python.exe is a call of Py_Main; python3.dll forwards the stable ABI, which opencv wants.
$cc -O2 -municode -DPYDLL='L"python311.dll"' "$here/python.c" -o python/python.exe
{
  printf 'LIBRARY python3.dll\nEXPORTS\n'
  x86_64-w64-mingw32-objdump -p python/python311.dll | sed -n '/\[Ordinal\/Name Pointer\] Table/,/^$/p' |
    awk '/\[ *[0-9]+\]/{print $NF}' | sed -nE 's/^_?Py.*/& = python311.&/p'
} >python3.def
echo 'int nothing;' >nothing.c
$cc -shared -nostdlib -o python/python3.dll python3.def nothing.c -Wl,--entry=0

# 4. What Wine 8.0 lacks: bcryptprimitives.dll (Rust) and, after step 5, complex functions in ucrtbase (numpy).
$cc -shared -O2 -o python/bcryptprimitives.dll "$here/prng.c" -ladvapi32

# 5. The project and its locked dependencies, as Windows wheels. Copies, not links: they are changed here.
(cd "$checkout" && uv export -q --no-dev --no-hashes --no-emit-project -o "$home/needed.txt" && uv build -q --wheel -o "$home/dist")
install=(uv pip install -q --link-mode copy --python-platform x86_64-pc-windows-msvc --python-version 3.11
  --target python/Lib/site-packages)
"${install[@]}" -r needed.txt
"${install[@]}" --no-deps dist/*.whl
python3 "$here/shim_math.py" python $cc >/dev/null

# 6. Wine's own folder.
export WINEPREFIX="$home/prefix" WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
wineboot -i >/dev/null 2>&1
# Windows 10's and 11's colour of menus, which the games take for their ground; Wine's own is white.
for name in Menu MenuBar; do
  wine reg add 'HKCU\Control Panel\Colors' /v $name /t REG_SZ /d '240 240 240' /f >/dev/null 2>&1
done
wineserver -w

# 7. The real games, from Debian's source package. windres refuses an empty file of resources.
[ -e games/netgame.exe ] && exit
mkdir -p games source/apt/lists/partial
cd source
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >apt/src.sources
apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$PWD/apt" -o "Dir::State::lists=$PWD/apt/lists"
  -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache=)
"${apt[@]}" update
"${apt[@]}" source sgt-puzzles >/dev/null
cd sgt-puzzles-*/
printf '\nSTRINGTABLE\nBEGIN\n 1 "boardsight"\nEND\n' >>puzzles.rc
mkdir -p made
cd made
printf 'set(CMAKE_SYSTEM_NAME Windows)\nset(CMAKE_C_COMPILER %s)\nset(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)\n' \
  $cc >chain.cmake
cmake .. -DCMAKE_TOOLCHAIN_FILE=chain.cmake -DCMAKE_BUILD_TYPE=Release >/dev/null
make bridges pattern lightup unruly singles range tents mosaic solo filling slant towers undead flip keen unequal magnets \
  netgame >/dev/null
cp ./*.exe "$home/games/"
