"""Whether a variant shows its original: a coarse comparison that a wrong turn, cut or colour fails.

Both pictures are averaged down to at most 16 x 16 and compared; PIL draws the reference by itself.
"""
import functools
import io

from PIL import Image, ImageChops, ImageCms, ImageOps, ImageStat

GRID = 16
# The greatest mean difference, in 0...255: of light and alpha, and of a colour channel, which formats
# keep at half the size. Ink without a fitting profile is converted by another rule in each library,
# so only a negative would be seen there.
CLOSE, CLOSE_COLOUR, CLOSE_INK = 8, 16, 60


def upright_srgb(image):
    """The picture as section 3 says: upright, 8-bit sRGB, grey kept grey, alpha kept."""
    icc = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if icc:
        image = with_profile(image, icc)
    if image.mode in ("1", "CMYK", "F", "YCbCr"):
        image = image.convert("L" if image.mode in "1F" else "RGB")
    return image


def with_profile(image, icc):
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        space = {"RGB": "RGB ", "CMYK": "CMYK"}.get(image.mode)
        if profile.profile.xcolor_space == space:
            return ImageCms.profileToProfile(image, profile, ImageCms.createProfile("sRGB"),
                                             outputMode="RGB")
    except (ImageCms.PyCMSError, OSError):
        pass
    return image


@functools.lru_cache(maxsize=4)
def reference(path):
    with Image.open(path) as image:
        ink = image.mode == "CMYK"
        image.load()
        return upright_srgb(image), ink


def flattened(image, background):
    """(colour over the background, alpha)."""
    alpha = image.getchannel("A") if image.mode in ("RGBA", "LA") else Image.new("L", image.size, 255)
    ground = Image.new("RGB", image.size, background)
    ground.paste(image.convert("RGB"), mask=alpha)
    return ground, alpha


def difference(a, b):
    """The greatest mean difference of a channel between two pictures of one size."""
    grid = tuple(min(GRID, side) for side in a.size)
    coarse = [picture.resize(grid, Image.Resampling.BOX) for picture in (a, b)]
    return max(ImageStat.Stat(ImageChops.difference(*coarse)).mean)


def fault(original, placement, variant, background):
    """Why the opened `variant` does not show the file `original`, or None."""
    whole, ink = reference(original)
    (scaled_w, scaled_h), (x, y), size = placement
    across, down = whole.width / scaled_w, whole.height / scaled_h
    box = (x * across, y * down, min(whole.width, (x + size[0]) * across),
           min(whole.height, (y + size[1]) * down))
    wanted = [part.resize(size, Image.Resampling.LANCZOS, box) for part in flattened(whole, background)]
    shown = variant.convert("RGBA") if variant.mode in ("P", "PA") else variant
    if shown.size != size:
        return None  # said elsewhere
    found = flattened(shown, background)
    colour = difference(found[0], wanted[0])
    light = difference(found[0].convert("L"), wanted[0].convert("L"))
    slack = 2 if min(size) < 8 else 1  # a few pixels share one sample of colour
    if colour > slack * (CLOSE_INK if ink else CLOSE_COLOUR) or light > (CLOSE_INK if ink else CLOSE):
        return f"does not show its original (mean difference {light:.1f}, of a colour {colour:.1f})"
    if shown.mode in ("RGBA", "LA") and difference(found[1], wanted[1]) > CLOSE:
        return "its transparency is not its original's"
    return None


def transparent(path):
    """Whether any pixel of the file's first frame is not opaque."""
    whole, _ = reference(path)
    return whole.mode in ("RGBA", "LA") and whole.getchannel("A").getextrema()[0] < 255


def grey(path):
    """Whether the file holds one band of light."""
    whole, _ = reference(path)
    return whole.mode in ("L", "LA")
