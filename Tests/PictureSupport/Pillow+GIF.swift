extension Pillow {
    /// Python that writes GIF files block by block: what Pillow would mend or leave out.
    ///
    /// `gif(width, height, frames, loop=None)` of `frame(x, y, width, height, pixels, delay=None,
    /// disposal=0, clear=None)`; the palette is black, red, green, blue. A frame without a delay
    /// has no control block.
    package static let gifWriter = #"""
        def codes(pixels):
            # A clear code before the table grows keeps all codes three bits wide.
            found = []
            for at in range(0, len(pixels), 2): found += [4] + pixels[at:at + 2]
            number, width = 0, 0
            for code in found + [5]: number |= code << width; width += 3
            data = number.to_bytes((width + 7) // 8, 'little')
            blocks = [data[at:at + 255] for at in range(0, len(data), 255)]
            return b'\2' + b''.join(bytes([len(block)]) + block for block in blocks) + b'\0'

        def frame(x, y, width, height, pixels, delay=None, disposal=0, clear=None):
            control = b'' if delay is None else (b'\x21\xf9\4' + struct.pack('<BHBB',
                disposal << 2 | (clear is not None), delay, clear or 0, 0))
            if isinstance(pixels, int): pixels = [pixels] * (width * height)
            return (control + b'\x2c' + struct.pack('<HHHHB', x, y, width, height, 0)
                + codes(pixels))

        def gif(width, height, frames, loop=None):
            looping = b'' if loop is None else (b'\x21\xff\x0bNETSCAPE2.0\3\1'
                + struct.pack('<H', loop) + b'\0')
            palette = bytes([0, 0, 0, 250, 0, 0, 0, 250, 0, 0, 0, 250])
            return (b'GIF89a' + struct.pack('<HHBBB', width, height, 0xF1, 0, 0) + palette
                + looping + b''.join(frames) + b'\x3b')


        """#
}
