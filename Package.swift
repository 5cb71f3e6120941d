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
    products: [
        .library(name: "GearboxClient", targets: ["GearboxClient"]),
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
            resources: [.embedInCode("index-schema-0001.sql")]
        ),
        library("GearboxClient", needs: ["GearboxIndex", "GearboxURL"]),

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
                .embedInCode("State/state-schema-0004.sql"),
            ]
        ),
        .executableTarget(
            name: "gearbox",
            dependencies: ["GearboxURL", "GearboxClient", "Manifests", "Prewarm", "System"],
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

        tests("GearboxURLTests", needs: ["GearboxURL"]),
        tests("SystemTests", needs: ["System", "CSystem", "TestSupport"]),
        tests("DigestTests", needs: ["Digest"]),
        tests("StoreTests", needs: ["Store", "Digest", "System", "TestSupport"]),
        tests("GearboxDatabaseTests", needs: ["GearboxDatabase", "TestSupport"]),
        tests(
            "GearboxIndexTests",
            needs: [
                "GearboxIndex", "GearboxClient", "GearboxDatabase", "GearboxURL", "TestSupport",
            ]
        ),
        tests(
            "ManifestsTests",
            needs: ["Manifests", "PictureSupport", "TestSupport"],
            exclude: ["manifests.py"]
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
                "check.py", "corpus.py", "night.py", "mutants.py", "pictures.py", "selftest.py",
                "rules",
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
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "LoopbackServers",
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
