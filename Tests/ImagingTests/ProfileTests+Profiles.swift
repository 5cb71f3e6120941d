extension ProfileTests {
    /// Profiles that are not among the fixtures'.
    static let profiles = """
        def curve(gamma): return b'curv' + bytes(4) + struct.pack('>IH', 1, int(gamma * 256))
        def grey(gamma): return special.profile(b'mntr', b'GRAY', b'XYZ ', {b'kTRC': curve(gamma)})
        def tables(space, channels, grid=5, kind=b'mntr'):
            # Red, green and blue in a table of Lab, with red and blue exchanged: what no matrix says.
            table = bytearray()
            for r in range(grid):
                for g in range(grid):
                    for b in range(grid):
                        lab = special.srgb_to_lab([b / (grid - 1), g / (grid - 1), r / (grid - 1)])
                        table += bytes([round(lab[0] * 2.55), round(lab[1] + 128),
                            round(lab[2] + 128)])
            identity = b''.join(special.s15(v) for v in (1, 0, 0, 0, 1, 0, 0, 0, 1))
            lut = (b'mft1' + bytes(4) + bytes([channels, 3, grid, 0]) + identity
                + bytes(range(256)) * 3 + bytes(table) + bytes(range(256)) * 3)
            return special.profile(kind, space, b'Lab ', {b'A2B0': lut, b'A2B1': lut})
        def padded(icc, size):
            '''The same profile with a private tag that makes it large.'''
            count = struct.unpack('>I', icc[128:132])[0]
            places = bytearray(icc[132:132 + 12 * count])
            for at in range(0, len(places), 12):
                places[at + 4:at + 8] = struct.pack('>I', 12 + struct.unpack('>I', places[at + 4:at + 8])[0])
            body = icc[132 + 12 * count:]
            start = 132 + 12 * (count + 1) + len(body)
            noise = b'data' + bytes(8) + random.Random(1).randbytes(size)
            out = (icc[:128] + struct.pack('>I', count + 1) + bytes(places) + b'gbox'
                + struct.pack('>II', start, len(noise)) + body + noise)
            return struct.pack('>I', len(out)) + out[4:]
        def deep(image):
            '''Rows of 16-bit samples, each 257 times the 8-bit one.'''
            size, bands = image.size, len(image.getbands())
            samples = b''.join(bytes([v, v]) for v in image.tobytes())
            step = size[0] * bands * 2
            return b''.join(b'\\0' + samples[at:at + step] for at in range(0, len(samples), step))
        def deep_png(image, icc):
            kind = {1: 0, 2: 4, 3: 2, 4: 6}[len(image.getbands())]
            open('f', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n'
                + special.chunk(b'IHDR', struct.pack('>IIBBBBB', *image.size, 16, kind, 0, 0, 0))
                + special.chunk(b'iCCP', b'p\\0\\0' + zlib.compress(icc))
                + special.chunk(b'IDAT', zlib.compress(deep(image)))
                + special.chunk(b'IEND', b''))
        def with_alpha(image, alpha):
            image = image.copy(); image.putalpha(alpha); return image
        best = dict(quality=100, subsampling=0)

        """
}
