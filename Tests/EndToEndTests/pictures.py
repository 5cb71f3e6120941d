"""A variant's file against its row and its original: size, frames, pixels, nothing left behind."""
from PIL import Image

from rules import originals, pixels


def check_picture(row, path, wanted, background, with_pixels):
    """A variant's file against its row and its original."""
    name = f"variant {row['key']}"
    if wanted.kind != "render":
        if originals.sha256(path) != originals.sha256(wanted.original.file):
            yield f"{name}: the file is not the original's own bytes"
        if (row["width"], row["height"]) != wanted.original.size:
            yield f"{name}: {row['width']}x{row['height']}, the original is %dx%d" % wanted.original.size
        return
    if wanted.format == "avif" or wanted.original.format in ("avif", "heif"):
        return  # PIL 9 reads neither
    try:
        with Image.open(path) as image:
            frames = getattr(image, "n_frames", 1)
            image.load()
            yield from picture_faults(name, row, image, frames, wanted)
            if with_pixels:
                why = pixels.fault(wanted.original.file, wanted.placement, image, background)
                if why:
                    yield f"{name}: {why}"
    except Exception as error:  # PIL raises anything from SyntaxError to OSError
        yield f"{name}: its file does not decode: {error}"


def picture_faults(name, row, image, frames, wanted):
    if image.size != (row["width"], row["height"]):
        yield f"{name}: the file is {image.width}x{image.height}, the row {row['width']}x{row['height']}"
    if image.getexif():
        yield f"{name}: EXIF data is left in the file"
    if image.info.get("icc_profile"):
        yield f"{name}: a colour profile is left in the file"
    if (frames > 1) != wanted.animated:
        yield f"{name}: has {frames} frame(s)"
    elif wanted.animated:
        yield from animation_faults(name, image, wanted.original.file)
    modes = expected_modes(wanted)
    if image.mode not in modes:
        yield f"{name}: its pixels are {image.mode}, not {' or '.join(sorted(modes))}"


def expected_modes(wanted):
    """The PIL modes that are right for a format and its original."""
    grey = pixels.grey(wanted.original.file)
    if wanted.format == "jpg":
        return {"L"} if grey else {"RGB"}
    if wanted.format == "gif":
        return {"P", "L", "RGB", "RGBA"}
    modes = set()
    if wanted.original.alpha:
        modes.add("LA" if grey and wanted.format == "png" else "RGBA")
    if not wanted.original.alpha or wanted.format == "webp" and (
            wanted.directives.mode == "y" or not pixels.transparent(wanted.original.file)):
        # libwebp drops an alpha that is opaque everywhere.
        modes.add("L" if grey and wanted.format == "png" else "RGB")
    return modes


def animation_faults(name, image, original):
    def delays(picture):
        found = []
        for frame in range(picture.n_frames):
            picture.seek(frame)
            picture.load()
            found.append(picture.info.get("duration", 0))
        picture.seek(0)
        picture.load()
        return found

    with Image.open(original) as source:
        wanted = delays(source)
    found = delays(image)
    if len(found) != len(wanted):
        yield f"{name}: {len(found)} frames, the original has {len(wanted)}"
    # What a delay of 10 ms or less becomes is the encoder's rule.
    elif any(a != b for a, b in zip(found, wanted) if b > 10):
        yield f"{name}: delays are {found}, the original's {wanted}"
