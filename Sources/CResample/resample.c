#include "CResample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// libvips 8.14 resamples without vector instructions, hands every strip of pixels to a thread of its
// own and places pixels only as well as the lengths divide. This takes a fifth of its time and places
// every pixel exactly.
//
// Two passes in floating point: each input row is read and converted once, and added to those of the
// output that it counts for, so that memory does not grow with the height of the picture. Vectors are
// the compiler's portable ones and nothing is fused, so that every sample is the same with AVX2 and
// without.
//
// Which of the two runs is decided while the program is being loaded: before the thread sanitizer,
// which counts every call, has memory to count in.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
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

// The weights of one axis: those of output pixel i begin at `weights + i * most * copies`, so many of
// each one after the other, and end with zeros.
typedef struct {
    int most;
    int *first;
    int *count;
    float *weights;
} taps;

static double lanczos(double x) {
    if (fabs(x) >= 3) return 0;
    if (x == 0) return 1;
    // Both sines of the kernel are one: sin 3a = 3 sin a - 4 (sin a)^3.
    double third = sin(M_PI * x / 3);
    return third * (3 * third - 4 * third * third * third) * 3 / (M_PI * M_PI * x * x);
}

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

static bool make_taps(taps *taps, cresample_axis axis, int length, int copies, int room) {
    double scale = axis.step > 1 ? axis.step : 1;
    double reach = (axis.step > 1 ? 3 : 2) * scale;
    int most = (int) fmin(2 * ceil(reach) + 1, length);
    taps->most = most + room;
    taps->first = calloc(axis.count, sizeof(int));
    taps->count = calloc(axis.count, sizeof(int));
    taps->weights = calloc((size_t) axis.count * taps->most * copies, sizeof(float));
    double *exact = malloc(sizeof(double) * most);
    bool made = taps->first && taps->count && taps->weights && exact;
    for (int i = 0; made && i < axis.count; i++) {
        double centre = fmin(fmax(axis.start + i * axis.step, -0.5), length - 0.5);
        int first = (int) fmax(ceil(centre - reach), 0);
        int count = (int) fmin(floor(centre + reach) + 1, length) - first;
        float *weights = taps->weights + (size_t) i * taps->most * copies;
        double sum = 0;
        for (int tap = 0; tap < count; tap++) {
            double x = (first + tap - centre) / scale;
            sum += exact[tap] = axis.step > 1 ? lanczos(x) : cubic(x);
        }
        for (int tap = 0; tap < count * copies; tap++) {
            weights[tap] = (float) (exact[tap / copies] / sum);
        }
        taps->first[i] = first;
        taps->count[i] = count;
    }
    free(exact);
    return made;
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

// Adds a row, each time with another weight, to several sums.
WIDEST static void spread(const float *row, float *const *sums, const float *weights, int count,
                          int samples) {
    for (int i = 0; i < samples; i += 16) {
        octet a = *(const octet *) (row + i), b = *(const octet *) (row + i + 8);
        for (int sum = 0; sum < count; sum++) {
            *(octet *) (sums[sum] + i) += a * weights[sum];
            *(octet *) (sums[sum] + i + 8) += b * weights[sum];
        }
    }
}

// The sum of the pixels that lie in the eight lanes, in the first of them.
static inline quad folded(quad low, quad high, int bands) {
    if (bands == 3) return low + __builtin_shufflevector(low, high, 3, 4, 5, 6);
    quad four = low + high;
    if (bands < 4) four += __builtin_shufflevector(four, four, 2, 3, 0, 1);
    if (bands < 2) four += __builtin_shufflevector(four, four, 1, 0, 3, 2);
    return four;
}

// The weighted sums of a row's pixels. A vector holds as many whole pixels as fit, and a weight is
// there once for each of its pixel's bands.
WIDEST static void gather(const float *row, const taps *taps, int left, int bands, float *out,
                          int count) {
    int pixels = 8 / bands, step = pixels * bands;
    for (int i = 0; i < count; i++) {
        const float *pixel = row + (size_t) (taps->first[i] - left) * bands;
        const float *weights = taps->weights + (size_t) i * taps->most * bands;
        octet sum = {0};
        for (int tap = 0; tap < taps->count[i]; tap += pixels, pixel += step, weights += step) {
            sum += *(const octet *) pixel * *(const octet *) weights;
        }
        quad low = __builtin_shufflevector(sum, sum, 0, 1, 2, 3);
        quad high = __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
        *(quad *) (out + (size_t) i * bands) = folded(low, high, bands);
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
    // The input row that was read last.
    float *row;
    // The sums of the output rows that it counts for: those of output row y are in slot y % slots.
    int slots;
    float *sums;
    // Where they are, and its weight in each.
    float **open;
    float *weights;
    float *gathered;
} workspace;

// How many output rows one input row counts for at most.
static int most_open(const taps *high, int count) {
    int most = 0;
    for (int y = 0, first = 0; y < count; y++) {
        while (high->first[first] + high->count[first] <= high->first[y]) first++;
        if (y - first + 1 > most) most = y - first + 1;
    }
    return most;
}

static bool prepare(workspace *work, int pitch, int gathered) {
    work->row = calloc(pitch, sizeof(float));
    work->sums = malloc(sizeof(float) * pitch * work->slots);
    work->open = malloc(sizeof(float *) * work->slots);
    work->weights = malloc(sizeof(float) * work->slots);
    work->gathered = malloc(sizeof(float) * gathered);
    return work->row && work->sums && work->open && work->weights && work->gathered;
}

static cresample_result carry_out(workspace *work, cresample_picture in, cresample_axis across,
                                  cresample_axis down, uint8_t *out) {
    if (!make_taps(&work->wide, across, in.width, in.bands, ROOM) ||
        !make_taps(&work->high, down, in.height, 1, 0))
        return CRESAMPLE_NO_MEMORY;
    const taps *wide = &work->wide, *high = &work->high;
    // The columns that anything is made of.
    int left = wide->first[0], last = across.count - 1;
    int samples = (wide->first[last] + wide->count[last] - left) * in.bands;
    int pitch = samples + ROOM, line = across.count * in.bands;
    work->slots = most_open(high, down.count);
    if (!prepare(work, pitch, line + ROOM)) return CRESAMPLE_NO_MEMORY;
    // Output rows before `done` are written, those from `next` on not yet begun.
    int done = 0, next = 0;
    for (int row = high->first[0]; done < down.count; row++) {
        if (done == next && row < high->first[next]) row = high->first[next];
        const uint8_t *source = in.row(in.context, row);
        if (!source) return CRESAMPLE_NO_ROW;
        convert(source + (size_t) left * in.bands, work->row, samples, in.bands, in.has_alpha);
        for (; next < down.count && high->first[next] <= row; next++) {
            memset(work->sums + (size_t) (next % work->slots) * pitch, 0, sizeof(float) * pitch);
        }
        for (int y = done; y < next; y++) {
            work->open[y - done] = work->sums + (size_t) (y % work->slots) * pitch;
            work->weights[y - done] = high->weights[(size_t) y * high->most + row - high->first[y]];
        }
        spread(work->row, work->open, work->weights, next - done, samples);
        for (; done < next && high->first[done] + high->count[done] == row + 1; done++) {
            const float *sums = work->sums + (size_t) (done % work->slots) * pitch;
            gather(sums, wide, left, in.bands, work->gathered, across.count);
            finish(work->gathered, out + (size_t) done * line, line, in.bands, in.has_alpha);
        }
    }
    return CRESAMPLE_DONE;
}

cresample_result cresample(cresample_picture in, cresample_axis across, cresample_axis down,
                           uint8_t *out) {
    workspace work = {0};
    cresample_result result = carry_out(&work, in, across, down, out);
    free(work.row);
    free(work.sums);
    free(work.open);
    free(work.weights);
    free(work.gathered);
    free_taps(&work.wide);
    free_taps(&work.high);
    return result;
}
