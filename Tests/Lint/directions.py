#!/usr/bin/env python3
"""Checks the directions between targets: who may import whom, and who may touch C.

The table is the design's. It is held against Package.swift (what a target declares) and against the
sources (what they import), so that neither can drift from it.
"""

import json
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "GearboxURL": [],
    "GearboxDatabase": ["CSQLite"],
    "GearboxIndex": ["GearboxDatabase", "GearboxURL"],
    "GearboxClient": ["GearboxDatabase", "GearboxIndex", "GearboxURL"],
    "CResample": [],
    "Imaging": ["CVips", "CResample"],
    "Transfer": ["CCurl"],
    "Digest": ["CCrypto"],
    "System": ["CSystem"],
    "Store": ["Digest", "System"],
    "Manifests": ["CZlib", "CZstd", "Digest"],
    "Fetching": ["Transfer", "Store", "GearboxURL", "Digest"],
    "Rendering": ["Imaging", "Store", "GearboxURL"],
    "Prewarm": [
        "GearboxURL", "GearboxDatabase", "GearboxIndex", "System", "Digest", "Store", "Manifests",
        "Transfer", "Fetching", "Rendering",
    ],
    "Export": ["GearboxIndex", "Store", "Digest", "System"],
    "gearbox": [
        "GearboxURL", "GearboxIndex", "GearboxClient", "Manifests", "Prewarm", "Export", "System",
    ],
    # They measure, and are no part of the program.
    "urlbench": ["GearboxURL"],
    "indexbench": ["GearboxIndex", "GearboxDatabase", "GearboxURL"],
    "renderbench": ["Imaging"],
    "cachebench": ["GearboxClient", "GearboxDatabase", "GearboxIndex", "GearboxURL"],
    "fetchbench": ["Fetching", "Transfer", "Store", "System"],
}

# Modules of the toolchain, and who may import them.
TOOLCHAIN = {
    "Glibc": {"System"},
    "Synchronization": None,
    "FoundationEssentials": {"Prewarm", "gearbox"},
    "Foundation": {"urlbench", "indexbench", "renderbench", "fetchbench", "cachebench"},
}

# Where a pointer may be touched: elsewhere the word `unsafe` does not appear.
POINTERS = {"GearboxDatabase", "Imaging", "Transfer", "Digest", "Manifests", "System"}

IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:public |package |internal |private |fileprivate )?import (?:struct |class |enum |func |var )?(\w+)", re.M)
UNSAFE = re.compile(r"\bunsafe\b")


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    faults = []
    described = json.loads(
        subprocess.run(
            ["swift", "package", "describe", "--type", "json"],
            cwd=root, check=True, capture_output=True, text=True,
        ).stdout
    )
    for target in described["targets"]:
        if target["type"] in ("test", "system-target") or target["path"].startswith("Tests/"):
            continue
        name = target["name"]
        if name not in ALLOWED:
            faults.append(f"Package.swift: target {name} is not in the table of directions")
            continue
        for needed in target.get("target_dependencies", []):
            if needed not in ALLOWED[name]:
                faults.append(f"Package.swift: {name} may not depend on {needed}")
        for file in sorted((root / target["path"]).rglob("*.swift")):
            text = file.read_text()
            code = re.sub(r"//.*", "", text)
            place = file.relative_to(root)
            for module in IMPORT.findall(code):
                if module in TOOLCHAIN:
                    users = TOOLCHAIN[module]
                    if users is not None and name not in users:
                        faults.append(f"{place}: {name} may not import {module}")
                elif module not in ALLOWED[name]:
                    faults.append(f"{place}: {name} may not import {module}")
            if name not in POINTERS and UNSAFE.search(code):
                faults.append(f"{place}: the word unsafe belongs in {', '.join(sorted(POINTERS))}")
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(1)


if __name__ == "__main__":
    main()
