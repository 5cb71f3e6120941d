#!/usr/bin/env python3
"""Compiles what an app links for the oldest iOS that Package.swift names, as far as Linux can.

The toolchain's own interfaces of Swift's modules say since when each declaration is on Apple's systems.
They are compiled for an iOS target here, then the targets of GearboxClient on top of them: a use of
something newer, or of a module that is not there, is an error. Nothing is linked or run.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCT = "GearboxClient"
# What an Apple system has: SQLite. Foundation and Synchronization too, but in other shapes or since
# later than the oldest system named.
SYSTEM_LIBRARIES = {"CSQLite"}
FEATURES = [
    "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
    "-enable-upcoming-feature", "MemberImportVisibility",
    "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
    "-strict-memory-safety", "-swift-version", "6", "-warnings-as-errors", "-package-name", "gearbox",
]


def described():
    text = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return json.loads(text)


def closure(targets, name, found):
    """The targets that one needs, in the order of building."""
    for needed in targets[name]["dependencies"]:
        closure(targets, needed["byName"][0], found)
    if name not in found:
        found.append(name)
    return found


def compile_interface(name, interfaces, target, folder):
    """Makes a module of Swift's for an Apple target from its Linux interface."""
    text = (interfaces / f"{name}.swiftmodule" / "x86_64-unknown-linux-gnu.swiftinterface").read_text()
    text = text.replace("-target x86_64-unknown-linux-gnu", f"-target {target}")
    # Bodies for older systems were left out of what Linux gets.
    text = re.sub(r"^ *@backDeployed\(.*\)\n", "", text, flags=re.M)
    # Functions of a C library that Linux has for long doubles.
    text = re.sub(r"self = _stdlib_(remainderl|squareRootl)\(.*\)", "self = 0", text)
    # With Objective-C it is declared in another branch of the library, for all systems.
    text = re.sub(
        r"@available\(.*\)\n(  public var span: Swift.Span<Element> {)",
        r"@available(iOS 12.2, macOS 10.14.4, *)\n\1", text,
    )
    source = folder / f"{name}.swiftinterface"
    if source.exists() and source.read_text() == text and (folder / f"{name}.swiftmodule").exists():
        return
    (folder / f"{name}.swiftmodule").unlink(missing_ok=True)
    source.write_text(text)
    frontend(
        ["-compile-module-from-interface", "-disable-availability-checking", "-module-name", name, "-o", f"{name}.swiftmodule",
         *(["-parse-stdlib"] if name == "Swift" else []), source], target, folder,
    )


def frontend(arguments, target, folder):
    command = ["swiftc", "-frontend", "-disable-objc-interop", "-target", target, "-I", str(folder), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr)
        sys.exit(f"this does not compile for {target}")


def main():
    package = described()
    targets = {target["name"]: target for target in package["targets"]}
    ios = next(p["version"] for p in package["platforms"] if p["platformName"] == "ios")
    target = f"x86_64-apple-ios{ios}-simulator"
    needed = closure(targets, PRODUCT, [])
    libraries = {name for name in needed if targets[name]["type"] == "system"}
    if libraries - SYSTEM_LIBRARIES:
        sys.exit(f"{PRODUCT} needs {', '.join(sorted(libraries - SYSTEM_LIBRARIES))}")

    folder = ROOT / ".build" / "apple"
    folder.mkdir(parents=True, exist_ok=True)
    paths = json.loads(
        subprocess.run(
            ["swiftc", "-print-target-info"], check=True, capture_output=True, text=True
        ).stdout
    )["paths"]
    interfaces = pathlib.Path(paths["runtimeLibraryImportPaths"][0])
    for name in ("Swift", "_Concurrency"):
        compile_interface(name, interfaces, target, folder)
    for name in needed:
        if name in libraries:
            continue
        place = ROOT / "Sources" / name
        sources = sorted(place.rglob("*.swift"))
        resources = [pathlib.Path(r["path"]).name for r in targets[name].get("resources", [])]
        if resources:
            # What SwiftPM makes of files that are embedded in code.
            constants = [re.sub(r"\W", "_", resource) for resource in resources]
            stub = folder / f"{name}-resources.swift"
            lines = [f"    static let {constant}: [UInt8] = []\n" for constant in constants]
            stub.write_text(f"struct PackageResources {{\n{''.join(lines)}}}\n")
            sources.append(stub)
        arguments = [
            "-O", "-parse-as-library", "-module-name", name, *FEATURES,
            "-disable-implicit-string-processing-module-import",
            *(part for library in sorted(libraries)
              for part in ("-Xcc", f"-fmodule-map-file={ROOT}/Sources/{library}/module.modulemap")),
            "-Xcc", "-isystem", "-Xcc", "/usr/include", *sources,
        ]
        frontend(["-typecheck", *arguments], target, folder)
        # For the next target: without bodies, which need more of Swift's modules than there is.
        frontend(
            ["-emit-module", "-experimental-skip-all-function-bodies", "-o", f"{name}.swiftmodule",
             *arguments], target, folder,
        )


if __name__ == "__main__":
    main()
