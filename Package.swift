// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// A library of the package.
///
/// `needs` is the whole list of what it may import: `make lint` holds it
/// against the directions written in Tests/Lint/directions.py.
func library(_ name: String, needs: [String] = [], resources: [Resource] = []) -> Target {
    .target(
        name: name,
        dependencies: needs.map { .byName(name: $0) },
        resources: resources,
        swiftSettings: strict
    )
}

func tests(_ name: String, needs: [String], exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: needs.map { .byName(name: $0) },
        exclude: exclude,
        swiftSettings: strict
    )
}

let package = Package(
    name: "gearbox",
    // Of GearboxClient; the rest is for Linux. `make lint` compiles it for the first of them.
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        // Of a named kind, so that `swift build --product GearboxClient` builds it and nothing else.
        .library(name: "GearboxClient", type: .static, targets: ["GearboxClient"]),
        .executable(name: "gearbox", targets: ["gearbox"]),
    ],
    targets: [
        // System libraries: a module map and a shim of static inline wrappers each.
        .systemLibrary(name: "CVips", pkgConfig: "vips"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
        // What Glibc's module does not show to Swift: variadics, macros, _GNU_SOURCE.
        .systemLibrary(name: "CSystem"),

        // What an app links: begins with Gearbox, needs SQLite and nothing else.
        library("GearboxURL"),
        library("GearboxDatabase", needs: ["CSQLite"]),
        library(
            "GearboxIndex",
            needs: ["GearboxDatabase", "GearboxURL"],
            resources: [
                .embedInCode("index-schema-0001.sql"), .embedInCode("index-packing.sql"),
                .embedInCode("resolve.sql"),
            ]
        ),
        library("GearboxClient", needs: ["GearboxDatabase", "GearboxIndex", "GearboxURL"]),

        // What only the pipeline uses.
        .target(name: "CResample"),
        library("Imaging", needs: ["CVips", "CResample"]),
        library("Transfer", needs: ["CCurl"]),
        library("Digest", needs: ["CCrypto"]),
        library("System", needs: ["CSystem"]),
        library("Store", needs: ["Digest", "System"]),
        library("Manifests", needs: ["CZlib", "CZstd", "Digest"]),
        library("Fetching", needs: ["Transfer", "Store", "GearboxURL"]),
        library("Rendering", needs: ["Imaging", "Store", "GearboxURL"]),
        library(
            "Prewarm",
            needs: [
                "GearboxURL", "GearboxDatabase", "GearboxIndex", "System", "Digest", "Store",
                "Manifests", "Transfer", "Fetching", "Rendering",
            ],
            resources: [
                .embedInCode("State/state-schema-0001.sql"),
                .embedInCode("State/state-schema-0002.sql"),
                .embedInCode("State/state-schema-0003.sql"),
                .embedInCode("State/state-schema-0004.sql"),
                .embedInCode("State/state-schema-0005.sql"),
                .embedInCode("State/state-schema-0006.sql"),
            ]
        ),
        library("Export", needs: ["GearboxIndex", "Store", "Digest", "System"]),
        .executableTarget(
            name: "gearbox",
            dependencies: [
                "GearboxURL", "GearboxIndex", "GearboxClient", "Manifests", "Prewarm", "Export",
                "System",
            ],
            swiftSettings: strict
        ),

        // Built for `make bench` alone: the program never needs them.
        .executableTarget(
            name: "urlbench",
            dependencies: ["GearboxURL"],
            path: "bench/urlbench",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "indexbench",
            dependencies: ["GearboxIndex", "GearboxDatabase", "GearboxURL"],
            path: "bench/indexbench",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "renderbench",
            dependencies: ["Imaging"],
            path: "bench/renderbench",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "fetchbench",
            dependencies: ["Fetching", "Transfer", "Store", "System"],
            path: "bench/fetchbench",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "cachebench",
            dependencies: ["GearboxClient", "GearboxDatabase", "GearboxIndex", "GearboxURL"],
            path: "bench/cachebench",
            swiftSettings: strict
        ),

        tests("GearboxURLTests", needs: ["GearboxURL"]),
        tests("SystemTests", needs: ["System", "CSystem", "TestSupport"]),
        tests("DigestTests", needs: ["Digest"]),
        tests("StoreTests", needs: ["Store", "Digest", "System", "TestSupport"]),
        tests("GearboxDatabaseTests", needs: ["GearboxDatabase", "TestSupport"]),
        tests(
            "GearboxIndexTests",
            needs: [
                "GearboxIndex", "GearboxClient", "GearboxDatabase", "GearboxURL", "PictureSupport",
                "TestSupport",
            ]
        ),
        tests(
            "GearboxClientTests",
            needs: [
                "GearboxClient", "GearboxDatabase", "GearboxIndex", "GearboxURL", "PictureSupport",
                "TestSupport",
            ]
        ),
        tests(
            "ManifestsTests",
            needs: ["Manifests", "PictureSupport", "TestSupport"],
            exclude: ["manifests.py"]
        ),
        tests(
            "ExportTests",
            needs: [
                "Export", "GearboxIndex", "GearboxClient", "GearboxDatabase", "GearboxURL", "Store",
                "System", "PictureSupport", "TestSupport",
            ],
            exclude: ["check_export.py", "ask_nginx.py"]
        ),
        tests(
            "PrewarmTests",
            needs: [
                "Prewarm", "GearboxURL", "Manifests", "Rendering", "PictureSupport", "TestSupport",
            ]
        ),
        tests(
            "EndToEndTests",
            needs: ["TestSupport", "LoopbackServers", "PictureSupport"],
            exclude: [
                "check.py", "corpus.py", "mutants.py", "night.py", "pictures.py", "reuse.py",
                "selftest.py", "rules",
            ]
        ),

        tests("TransferTests", needs: ["Transfer", "LoopbackServers"]),
        tests(
            "FetchingTests",
            needs: ["Fetching", "Transfer", "Store", "Digest", "System", "LoopbackServers"]
        ),
        tests("ImagingTests", needs: ["Imaging", "PictureSupport", "TestSupport"]),
        tests(
            "RenderingTests",
            needs: [
                "Rendering", "Imaging", "Store", "System", "GearboxURL", "PictureSupport",
                "TestSupport",
            ]
        ),

        // What SystemTests start as a child: it does what it is told, and says what came of it.
        .executableTarget(
            name: "childprobe",
            dependencies: ["System", "CSystem"],
            path: "Tests/ChildProbe",
            swiftSettings: strict
        ),

        // What several suites need: scratch folders and programs, servers, pictures that are drawn
        // and read without the code under test.
        .target(
            name: "TestSupport",
            dependencies: ["CSystem"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .target(
            name: "LoopbackServers",
            dependencies: ["TestSupport"],
            path: "Tests/LoopbackServers",
            exclude: ["scripted_server.py", "http2_server.py", "supervise.py"],
            swiftSettings: strict
        ),
        .target(
            name: "PictureSupport",
            dependencies: ["TestSupport"],
            path: "Tests/PictureSupport",
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
