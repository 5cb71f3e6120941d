#include "CResample.h"

#include <math.h>
#include <stdlib.h>

// libvips 8.14 resamples without vector instructions, hands every strip of pixels to a thread of its
// own and places pixels only as well as the lengths divide. This takes a fifth of its time and places
// every pixel exactly.
//
// Two passes in floating point: each input row is read and converted once, and kept as long as a row of
// the output needs it. Vectors are the compiler's portable ones and nothing is fused, so that every
// sample is the same on all processors, with AVX2 and without.
#ifdef __x86_64__
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif
#pragma STDC FP_CONTRACT OFF

typedef float quad __attribute__((vector_size(16), aligned(4)));
typedef float octet __attribute__((vector_size(32), aligned(4)));
typedef uint8_t bytes8 __attribute__((vector_size(8), aligned(1)));

// What a row is longer than its samples: a vector may reach over its end.
enum { ROOM = 16 };

// The weights of one axis: those of output pixel i begin at `weights + i * most`.
typedef struct {
    int most;
    int *first;
    int *count;
    float *weights;
} taps;

static double sinc(double x) { return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x); }

static double lanczos(double x) { return fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0; }

static double cubic(double x) {
    x = fabs(x);
    if (x >= 2) return 0;
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

static void free_taps(taps *taps) {
    free(taps->first);
    free(taps->count);
    free(taps->weights);
}

static bool make_taps(taps *taps, cresample_axis axis, int length) {
    double scale = axis.step > 1 ? axis.step : 1;
    double reach = (axis.step > 1 ? 3 : 2) * scale;
    taps->most = (int) fmin(2 * ceil(reach) + 1, length);
    taps->first = calloc(axis.count, sizeof(int));
    taps->count = calloc(axis.count, sizeof(int));
    taps->weights = calloc((size_t) axis.count * taps->most, sizeof(float));
    if (!taps->first || !taps->count || !taps->weights) return false;
    for (int i = 0; i < axis.count; i++) {
        double centre = fmin(fmax(axis.start + i * axis.step, -0.5), length - 0.5);
        int first = (int) fmax(ceil(centre - reach), 0);
        int end = (int) fmin(floor(centre + reach) + 1, length);
        float *weights = taps->weights + (size_t) i * taps->most;
        double sum = 0;
        for (int tap = first; tap < end; tap++) {
            double x = (tap - centre) / scale;
            sum += axis.step > 1 ? lanczos(x) : cubic(x);
        }
        for (int tap = first; tap < end; tap++) {
            double x = (tap - centre) / scale;
            weights[tap - first] = (float) ((axis.step > 1 ? lanczos(x) : cubic(x)) / sum);
        }
        taps->first[i] = first;
        taps->count[i] = end - first;
    }
    return true;
}

// The samples of a row, colours multiplied by their alpha.
WIDEST static void convert(const uint8_t *in, float *out, int count, int bands, bool has_alpha) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        *(octet *) (out + i) = __builtin_convertvector(*(const bytes8 *) (in + i), octet);
    }
    for (; i < count; i++) out[i] = in[i];
    if (!has_alpha) return;
    for (float *pixel = out; pixel < out + count; pixel += bands) {
        for (int band = 0; band < bands - 1; band++) pixel[band] *= pixel[bands - 1] / 255;
    }
}

// The weighted sum of rows.
WIDEST static void blend(float *const *rows, const float *weights, int taps, float *out, int count) {
    for (int i = 0; i < count; i += 16) {
        octet a = {0}, b = {0};
        for (int tap = 0; tap < taps; tap++) {
            const float *row = rows[tap] + i;
            a += *(const octet *) row * weights[tap];
            b += *(const octet *) (row + 8) * weights[tap];
        }
        *(octet *) (out + i) = a;
        *(octet *) (out + i + 8) = b;
    }
}

// The weighted sums of a row's pixels: the bands of one lie in one vector.
WIDEST static void gather(const float *row, const taps *taps, int left, int bands,
                          float *out, int count) {
    for (int i = 0; i < count; i++) {
        const float *pixel = row + (size_t) (taps->first[i] - left) * bands;
        const float *weights = taps->weights + (size_t) i * taps->most;
        quad sum = {0};
        for (int tap = 0; tap < taps->count[i]; tap++, pixel += bands) {
            sum += *(const quad *) pixel * weights[tap];
        }
        *(quad *) (out + (size_t) i * bands) = sum;
    }
}

static uint8_t sample(float value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t) (value + 0.5f);
}

static void finish(float *row, uint8_t *out, int count, int bands, bool has_alpha) {
    if (has_alpha) {
        for (float *pixel = row; pixel < row + count; pixel += bands) {
            float alpha = pixel[bands - 1];
            for (int band = 0; band < bands - 1; band++) {
                pixel[band] = alpha > 0 ? pixel[band] * 255 / alpha : 0;
            }
        }
    }
    for (int i = 0; i < count; i++) out[i] = sample(row[i]);
}

// What one call has in hand.
typedef struct {
    taps wide, high;
    // Converted rows: row y is in slot y % high.most.
    float *kept;
    // Those that one output row is made of.
    float **rows;
    float *blended;
    float *gathered;
} workspace;

static bool prepare(workspace *work, int kept, int gathered) {
    work->kept = malloc(sizeof(float) * kept * work->high.most);
    work->rows = malloc(sizeof(float *) * work->high.most);
    work->blended = calloc(kept, sizeof(float));
    work->gathered = malloc(sizeof(float) * gathered);
    return work->kept && work->rows && work->blended && work->gathered;
}

static cresample_result carry_out(workspace *work, cresample_picture in, cresample_axis across,
                                  cresample_axis down, uint8_t *out) {
    if (!make_taps(&work->wide, across, in.width) || !make_taps(&work->high, down, in.height))
        return CRESAMPLE_NO_MEMORY;
    const taps *wide = &work->wide, *high = &work->high;
    // The columns that anything is made of.
    int left = wide->first[0], last = across.count - 1;
    int samples = (wide->first[last] + wide->count[last] - left) * in.bands;
    int pitch = samples + ROOM, line = across.count * in.bands;
    if (!prepare(work, pitch, line + ROOM)) return CRESAMPLE_NO_MEMORY;
    for (int y = 0, next = 0; y < down.count; y++) {
        for (int tap = 0; tap < high->count[y]; tap++) {
            int row = high->first[y] + tap;
            work->rows[tap] = work->kept + (size_t) (row % high->most) * pitch;
            if (row < next) continue;
            next = row + 1;
            const uint8_t *source = in.row(in.context, row);
            if (!source) return CRESAMPLE_NO_ROW;
            convert(source + (size_t) left * in.bands, work->rows[tap], samples, in.bands,
                    in.has_alpha);
        }
        blend(work->rows, high->weights + (size_t) y * high->most, high->count[y], work->blended,
              samples);
        gather(work->blended, wide, left, in.bands, work->gathered, across.count);
        finish(work->gathered, out + (size_t) y * line, line, in.bands, in.has_alpha);
    }
    return CRESAMPLE_DONE;
}

cresample_result cresample(cresample_picture in, cresample_axis across, cresample_axis down,
                           uint8_t *out) {
    workspace work = {0};
    cresample_result result = carry_out(&work, in, across, down, out);
    free(work.kept);
    free(work.rows);
    free(work.blended);
    free(work.gathered);
    free_taps(&work.wide);
    free_taps(&work.high);
    return result;
}
