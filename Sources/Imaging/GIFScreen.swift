/// The screen of a GIF: the canvas that its frames are put on.
enum GIFScreen {
    /// The file with one clear pixel in the last corner of its screen as a first frame of its own;
    /// `nil` where the decoder needs no such help.
    ///
    /// Screens larger than 2048 and those of old monitors are taken for a mistake by the decoder,
    /// which then makes its first frame the canvas; a frame that reaches the corner settles it.
    static func withCorner(_ file: Span<UInt8>) -> [UInt8]? {
        guard file.count >= 13, file.has(0x4749_4638, at: 0) else { return nil }
        let (width, height) = (file.little(2, at: 6), file.little(2, at: 8))
        guard width > 0, height > 0, isDoubted(width, height),
            let first = firstFrame(file)
        else { return nil }
        let reaches = (
            file.little(2, at: first.image + 1) + file.little(2, at: first.image + 5),
            file.little(2, at: first.image + 3) + file.little(2, at: first.image + 7)
        )
        guard reaches.0 < width || reaches.1 < height else { return nil }
        let place = [width - 1, height - 1, 1, 1].flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        // A control block that makes colour 0 clear; a palette of two; the codes of one pixel.
        let corner: [UInt8] =
            [0x21, 0xF9, 4, 1, 0, 0, 0, 0, 0x2C] + place + [0x80, 0, 0, 0, 0, 0, 0]
            + [2, 2, 0x44, 1, 0]
        var result: [UInt8] = []
        result.reserveCapacity(file.count + corner.count)
        for index in 0..<first.start { result.append(file[index]) }
        result += corner
        for index in first.start..<file.count { result.append(file[index]) }
        return result
    }

    private static func isDoubted(_ width: Int, _ height: Int) -> Bool {
        let monitors = [
            (640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200),
        ]
        return width > 2048 || height > 2048 || monitors.contains { $0 == (width, height) }
    }

    /// Where the first frame begins, with its control block, and its image descriptor.
    private static func firstFrame(_ file: Span<UInt8>) -> (start: Int, image: Int)? {
        var offset = 13 + (file[10] & 0x80 == 0 ? 0 : 3 << (Int(file[10] & 7) + 1))
        var control: Int?
        while offset + 10 <= file.count {
            if file[offset] == 0x2C { return (control ?? offset, offset) }
            guard file[offset] == 0x21 else { return nil }
            if file[offset + 1] == 0xF9 { control = control ?? offset }
            offset += 2
            while offset < file.count, file[offset] > 0 { offset += 1 + Int(file[offset]) }
            offset += 1
        }
        return nil
    }
}
