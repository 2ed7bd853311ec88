"""Zip files of strangers: how their bytes may be damaged, and how they may be packed."""

from __future__ import annotations

import struct
import zipfile
import zlib

# What `zipfile` lets out when the bytes are not as they should be.
DAMAGED_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    struct.error,
)
# Jars are packed with these; others may ask for gigabytes to be unpacked.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
