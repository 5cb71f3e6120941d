#pragma once
#include <stdbool.h>
#include <stdint.h>

/// One axis: output pixel i lies at the input coordinate `start + i * step`, where 0 is the middle of
/// the input's first pixel.
typedef struct {
    double start;
    double step;
    int count;
} cresample_axis;

/// 8-bit samples, read row by row from top to bottom: the bands of a pixel together.
typedef struct {
    int width;
    int height;
    int bands;
    /// Whether the last band is alpha, by which colours count.
    bool has_alpha;
    /// The samples of a row, to be read before the next call; NULL where it cannot be had.
    const uint8_t *_Nullable (*_Nonnull row)(void *_Nullable context, int y);
    void *_Nullable context;
} cresample_picture;

typedef enum {
    CRESAMPLE_DONE,
    CRESAMPLE_NO_MEMORY,
    CRESAMPLE_NO_ROW,
} cresample_result;

/// Computes the output pixels of both axes from the input: with Lanczos of three lobes where an axis
/// shrinks, with a cubic where it grows. What lies outside of the input has no weight.
///
/// Writes `across.count * down.count * bands` samples to `out`.
cresample_result cresample(cresample_picture in, cresample_axis across, cresample_axis down,
                           uint8_t *_Nonnull out);
