#pragma once
#include <zlib.h>

// inflateInit2 is a macro, which Swift cannot import. 16 + 15: gzip alone, with any window.
static inline int czlib_start_gzip(z_stream *stream) {
    return inflateInit2(stream, 16 + 15);
}
