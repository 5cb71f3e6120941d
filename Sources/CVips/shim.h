#pragma once
#include <math.h>
#include <stdint.h>
#include <vips/vips.h>

// Swift cannot import variadic functions, and every libvips operation is one: each that we use has
// a wrapper of fixed arity here. A wrapper returns a new image, NULL where the operation failed.
#define CVIPS_OPERATION static inline VipsImage *_Nullable
#define CVIPS_BYTES static inline void *_Nullable

// Opens a file with one named loader. `option` is an integer option that only some loaders have;
// NULL ends the variadic list before it.
CVIPS_OPERATION cvips_load(const char *_Nonnull loader, const char *_Nonnull path, int fail_on,
                           const char *_Nullable option, int value) {
    VipsImage *out = NULL;
    return vips_call(loader, path, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on,
                     option, value, NULL)
               ? NULL
               : out;
}

// The same for a loader of bytes in memory; takes over bytes that g_malloc gave.
CVIPS_OPERATION cvips_load_buffer(const char *_Nonnull loader, void *_Nonnull bytes, size_t length,
                                  int fail_on) {
    VipsImage *out = NULL;
    VipsBlob *blob = vips_blob_new((VipsCallbackFn) vips_area_free_cb, bytes, length);
    int result = vips_call(loader, blob, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                           fail_on, NULL);
    vips_area_unref(VIPS_AREA(blob));
    return result ? NULL : out;
}

// Opens a GIF in memory, of which a copy is kept, from one of its frames on.
CVIPS_OPERATION cvips_load_gif(const void *_Nonnull bytes, size_t length, int fail_on, int page,
                               int count) {
    VipsImage *out = NULL;
    VipsBlob *blob = vips_blob_copy(bytes, length);
    int result = vips_call("gifload_buffer", blob, &out, "access", VIPS_ACCESS_SEQUENTIAL,
                           "fail_on", fail_on, "page", page, "n", count, NULL);
    vips_area_unref(VIPS_AREA(blob));
    return result ? NULL : out;
}

CVIPS_OPERATION cvips_copy(VipsImage *_Nonnull in) {
    VipsImage *out = NULL;
    return vips_copy(in, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_tagged(VipsImage *_Nonnull in, VipsInterpretation interpretation) {
    VipsImage *out = NULL;
    return vips_copy(in, &out, "interpretation", interpretation, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_autorot(VipsImage *_Nonnull in) {
    VipsImage *out = NULL;
    return vips_autorot(in, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_extract_band(VipsImage *_Nonnull in, int band, int count) {
    VipsImage *out = NULL;
    return vips_extract_band(in, &out, band, "n", count, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_bandjoin(VipsImage *_Nonnull a, VipsImage *_Nonnull b) {
    VipsImage *out = NULL;
    return vips_bandjoin2(a, b, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_cast(VipsImage *_Nonnull in, VipsBandFormat format) {
    VipsImage *out = NULL;
    return vips_cast(in, &out, format, NULL) ? NULL : out;
}

// Keeps the high bits: 65535 becomes 255.
CVIPS_OPERATION cvips_high_byte(VipsImage *_Nonnull in) {
    VipsImage *out = NULL;
    return vips_cast(in, &out, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_rint(VipsImage *_Nonnull in) {
    VipsImage *out = NULL;
    return vips_rint(in, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_linear(VipsImage *_Nonnull in, double multiply, double add) {
    VipsImage *out = NULL;
    return vips_linear1(in, &out, multiply, add, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_colourspace(VipsImage *_Nonnull in, VipsInterpretation space) {
    VipsImage *out = NULL;
    return vips_colourspace(in, &out, space, NULL) ? NULL : out;
}

// By the profile of the image, or by a file's or a built-in one where it is named.
CVIPS_OPERATION cvips_icc_to_srgb(VipsImage *_Nonnull in, const char *_Nullable profile) {
    VipsImage *out = NULL;
    return vips_icc_transform(in, &out, "srgb", "embedded", profile == NULL, "intent",
                              VIPS_INTENT_RELATIVE, "black_point_compensation", TRUE, "depth", 8,
                              profile ? "input_profile" : NULL, profile, NULL)
               ? NULL
               : out;
}

CVIPS_OPERATION cvips_premultiply(VipsImage *_Nonnull in) {
    VipsImage *out = NULL;
    return vips_premultiply(in, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_unpremultiply(VipsImage *_Nonnull in) {
    VipsImage *out = NULL;
    return vips_unpremultiply(in, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_extract_area(VipsImage *_Nonnull in, int x, int y, int width, int height) {
    VipsImage *out = NULL;
    return vips_extract_area(in, &out, x, y, width, height, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_flatten(VipsImage *_Nonnull in, double red, double green, double blue) {
    VipsImage *out = NULL;
    double colour[3] = {red, green, blue};
    VipsArrayDouble *background = vips_array_double_new(colour, in->Bands > 2 ? 3 : 1);
    int result = vips_flatten(in, &out, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return result ? NULL : out;
}

// Both arguments are read, the second one's single band with each band of the first.
CVIPS_OPERATION cvips_add(VipsImage *_Nonnull a, VipsImage *_Nonnull b) {
    VipsImage *out = NULL;
    return vips_add(a, b, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_subtract(VipsImage *_Nonnull a, VipsImage *_Nonnull b) {
    VipsImage *out = NULL;
    return vips_subtract(a, b, &out, NULL) ? NULL : out;
}

CVIPS_OPERATION cvips_multiply(VipsImage *_Nonnull a, VipsImage *_Nonnull b) {
    VipsImage *out = NULL;
    return vips_multiply(a, b, &out, NULL) ? NULL : out;
}

// Nothing divided by nothing is nothing.
CVIPS_OPERATION cvips_divide(VipsImage *_Nonnull a, VipsImage *_Nonnull b) {
    VipsImage *out = NULL;
    return vips_divide(a, b, &out, NULL) ? NULL : out;
}

// `min_ampl` is where the kernel ends, as a share of its peak.
CVIPS_OPERATION cvips_gaussblur(VipsImage *_Nonnull in, double sigma) {
    VipsImage *out = NULL;
    return vips_gaussblur(in, &out, sigma, "min_ampl", 0.002, "precision", VIPS_PRECISION_FLOAT,
                          NULL)
               ? NULL
               : out;
}

// Makes an image smaller by a whole factor, each sample a mean with the weights of a triangle. Around
// it `margin` pixels are added, and more to the right and below for whole samples, like its outermost.
CVIPS_OPERATION cvips_shrink(VipsImage *_Nonnull in, int factor, int margin) {
    VipsImage *wider = NULL, *out = NULL;
    int width = VIPS_ROUND_UP(in->Xsize + 2 * margin, factor);
    int height = VIPS_ROUND_UP(in->Ysize + 2 * margin, factor);
    if (vips_embed(in, &wider, margin, margin, width, height, "extend", VIPS_EXTEND_COPY, NULL))
        return NULL;
    int result = vips_reduce(wider, &out, factor, factor, "kernel", VIPS_KERNEL_LINEAR, NULL);
    g_object_unref(wider);
    return result ? NULL : out;
}

// The other way, bicubic; returns what lies within the margin. Samples lie in the middle of what they
// stand for, which is not so with vips_resize: its result is half a pixel aside.
CVIPS_OPERATION cvips_enlarge(VipsImage *_Nonnull in, int factor, int margin, int width,
                              int height) {
    VipsImage *out = NULL;
    VipsInterpolate *bicubic = vips_interpolate_new("bicubic");
    if (!bicubic) return NULL;
    VipsArrayInt *area = vips_array_int_newv(4, margin, margin, width, height);
    int result = vips_affine(in, &out, (double) factor, 0.0, 0.0, (double) factor, "interpolate", bicubic, "oarea",
                             area, "idx", 0.5, "idy", 0.5, "odx", -0.5, "ody", -0.5, "extend",
                             VIPS_EXTEND_COPY, "premultiplied", TRUE, NULL);
    vips_area_unref(VIPS_AREA(area));
    g_object_unref(bicubic);
    return result ? NULL : out;
}

// New bands, each a sum of the old ones with the weights of a row.
CVIPS_OPERATION cvips_recomb(VipsImage *_Nonnull in, const double *_Nonnull weights, int columns,
                             int rows) {
    VipsImage *out = NULL;
    VipsImage *matrix = vips_image_new_matrix_from_array(columns, rows, weights, columns * rows);
    if (!matrix) return NULL;
    int result = vips_recomb(in, &out, matrix, NULL);
    g_object_unref(matrix);
    return result ? NULL : out;
}

// Replaces each 8-bit sample by the one of 256 values that it numbers.
CVIPS_OPERATION cvips_maplut(VipsImage *_Nonnull in, const double *_Nonnull values) {
    VipsImage *out = NULL;
    VipsImage *table = vips_image_new_matrix_from_array(256, 1, values, 256);
    if (!table) return NULL;
    int result = vips_maplut(in, &out, table, NULL);
    g_object_unref(table);
    return result ? NULL : out;
}

// Stacks images of one size from top to bottom.
CVIPS_OPERATION cvips_stack(VipsImage *_Nonnull *_Nonnull images, int count) {
    VipsImage *out = NULL;
    return vips_arrayjoin(images, &out, count, "across", 1, NULL) ? NULL : out;
}

// An image in memory, of another size but like `in` otherwise; its pixels are not written yet.
CVIPS_OPERATION cvips_blank(VipsImage *_Nonnull in, int width, int height) {
    VipsImage *out = vips_image_new_memory();
    if (!out) return NULL;
    vips_image_init_fields(out, width, height, in->Bands, in->BandFmt, VIPS_CODING_NONE, in->Type,
                           1.0, 1.0);
    if (!vips_image_write_prepare(out)) return out;
    g_object_unref(out);
    return NULL;
}

// An image in memory like `in` in everything; its pixels are not written yet.
CVIPS_OPERATION cvips_like(VipsImage *_Nonnull in) {
    VipsImage *out = vips_image_new_memory();
    if (!out) return NULL;
    if (!vips_image_pipelinev(out, VIPS_DEMAND_STYLE_ANY, in, NULL) &&
        !vips_image_write_prepare(out))
        return out;
    g_object_unref(out);
    return NULL;
}

// Computes some rows of an image straight into those of an image in memory; returns where they end, -1
// where they cannot be computed.
static inline int cvips_fill(VipsRegion *_Nonnull from, VipsRegion *_Nonnull to, int top) {
    VipsImage *image = from->im;
    VipsRect strip = {0, top, image->Xsize, VIPS_MIN(16, image->Ysize - top)};
    if (vips_region_image(to, &strip) || vips_region_prepare_to(from, to, &strip, 0, top)) return -1;
    return VIPS_RECT_BOTTOM(&strip);
}

// The samples of a row; VIPS_REGION_ADDR is a macro. Rows are computed several at a time.
static inline const uint8_t *_Nullable cvips_row(VipsRegion *_Nonnull region, int y) {
    VipsRect *valid = &region->valid;
    if (y < valid->top || y >= VIPS_RECT_BOTTOM(valid)) {
        VipsImage *image = region->im;
        VipsRect strip = {0, y, image->Xsize, VIPS_MIN(16, image->Ysize - y)};
        if (vips_region_prepare(region, &strip)) return NULL;
    }
    return VIPS_REGION_ADDR(region, 0, y);
}

// Reads every pixel and keeps none.
static inline int cvips_read_through(VipsImage *_Nonnull in) {
    double average = 0;
    return vips_avg(in, &average, NULL);
}

CVIPS_BYTES cvips_jpegsave(VipsImage *_Nonnull in, size_t *_Nonnull length, int quality,
                           int interlace) {
    void *bytes = NULL;
    return vips_jpegsave_buffer(in, &bytes, length, "Q", quality, "interlace", interlace,
                                "optimize_coding", TRUE, "strip", TRUE, NULL)
               ? NULL
               : bytes;
}

// Scaled pictures have few equal neighbours: the row filters, off by default, save a fifth and more.
CVIPS_BYTES cvips_pngsave(VipsImage *_Nonnull in, size_t *_Nonnull length, int compression,
                          int interlace) {
    void *bytes = NULL;
    return vips_pngsave_buffer(in, &bytes, length, "compression", compression, "interlace",
                               interlace, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, "strip", TRUE,
                               NULL)
               ? NULL
               : bytes;
}

CVIPS_BYTES cvips_webpsave(VipsImage *_Nonnull in, size_t *_Nonnull length, int quality,
                           int effort) {
    void *bytes = NULL;
    return vips_webpsave_buffer(in, &bytes, length, "Q", quality, "effort", effort, "strip", TRUE,
                                NULL)
               ? NULL
               : bytes;
}

CVIPS_BYTES cvips_gifsave(VipsImage *_Nonnull in, size_t *_Nonnull length, int effort,
                          int interlace) {
    void *bytes = NULL;
    return vips_gifsave_buffer(in, &bytes, length, "effort", effort, "interlace", interlace,
                               "strip", TRUE, NULL)
               ? NULL
               : bytes;
}

// libvips would write 12 bits a sample, which few decoders show.
CVIPS_BYTES cvips_avifsave(VipsImage *_Nonnull in, size_t *_Nonnull length, int quality,
                           int effort) {
    void *bytes = NULL;
    return vips_heifsave_buffer(in, &bytes, length, "Q", quality, "effort", effort, "compression",
                                VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "bitdepth", 8, "strip", TRUE,
                                NULL)
               ? NULL
               : bytes;
}

// Swift's standard library has no power function, and importing the C library is System's alone.
static inline double cvips_power(double base, double exponent) { return pow(base, exponent); }

// g_object_unref wants an untyped pointer.
static inline void cvips_unref(VipsImage *_Nonnull image) { g_object_unref(image); }

// A signal handler must be a C function; the deadline travels in the pointer itself.
static inline void cvips_stop_when_late(VipsImage *image, VipsProgress *progress, gpointer data) {
    if (g_get_monotonic_time() > (gint64) GPOINTER_TO_SIZE(data)) vips_image_set_kill(image, TRUE);
}

// g_signal_connect is a macro. Everything computed from the image from now on stops after the
// deadline, in microseconds of g_get_monotonic_time.
static inline void cvips_set_deadline(VipsImage *_Nonnull image, gint64 deadline) {
    vips_image_set_progress(image, TRUE);
    g_signal_connect(image, "eval", G_CALLBACK(cvips_stop_when_late), GSIZE_TO_POINTER(deadline));
}

// A log handler must be a C function. libvips' warnings concern single files and reach the report
// as the errors of our own calls; standard error belongs to the command line.
static inline void cvips_discard_log(const gchar *domain, GLogLevelFlags level,
                                     const gchar *message, gpointer data) {}
static inline void cvips_silence(void) {
    g_log_set_handler("VIPS", (GLogLevelFlags) (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO),
                      cvips_discard_log, NULL);
}

// vips_object_map takes a variadic-like callback of untyped pointers.
static inline void *_Nullable cvips_count_one(VipsObject *_Nonnull object, void *_Nullable count,
                                              void *_Nullable unused) {
    ++*(int *) count;
    return NULL;
}
static inline int cvips_live_objects(void) {
    int count = 0;
    vips_object_map((VipsSListMap2Fn) cvips_count_one, &count, NULL);
    return count;
}

// Macros that Swift does not import.
static inline const char *_Nonnull cvips_icc_field(void) { return VIPS_META_ICC_NAME; }
static inline const char *_Nonnull cvips_page_height_field(void) { return VIPS_META_PAGE_HEIGHT; }
