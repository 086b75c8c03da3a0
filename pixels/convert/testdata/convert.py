"""Holds the images that package convert made against those of Pillow and OpenCV.

  convert.py make DIR    writes images of all kinds into DIR
  convert.py check DIR   reads DIR/cases.json and the results that it names, and
                         writes the digests of what they should be to DIR/digests
  convert.py masks DIR   does so with masks that follow their images
"""

import hashlib
import io
import json
import os
import sys

import cv2
import numpy as np
import PIL
from PIL import Image, ImageOps

FILTERS = {
    "nearest": Image.NEAREST,
    "box": Image.BOX,
    "bilinear": Image.BILINEAR,
    "bicubic": Image.BICUBIC,
    "lanczos": Image.LANCZOS,
    "auto": Image.LANCZOS,
}
COLORS = {"white": (255, 255, 255), "black": (0, 0, 0)}


def picture(width, height, channels, seed):
    """Soft shapes with some noise, which no filter leaves alone."""
    random = np.random.RandomState(seed)
    y, x = np.mgrid[:height, :width]
    planes = [127 + 90 * np.sin(x / (3 + c) + c) * np.cos(y / (5 - c) + seed) for c in range(channels)]
    pixels = np.stack(planes, -1) + random.randint(-30, 30, (height, width, channels))
    return np.clip(pixels, 0, 255).astype(np.uint8)


def make(folder):
    def save(name, image, **options):
        image.save(os.path.join(folder, name), **options)

    rgb = Image.fromarray(picture(83, 61, 3, 1))
    exif = Image.Exif()
    for orientation in range(1, 9):
        exif[0x0112] = orientation
        save(f"turned{orientation}.jpg", rgb, quality=90, exif=exif)
    save("gray.jpg", rgb.convert("L"), quality=80)
    save("progressive.jpg", rgb, quality=85, progressive=True, subsampling=0)
    save("cmyk.jpg", Image.fromarray(picture(40, 30, 4, 2), "CMYK"), quality=95)
    save("rgb.png", rgb)
    save("gray.png", rgb.convert("L"))
    save("bits.png", rgb.convert("1"))
    save("palette.png", rgb.quantize(20))
    save("gray16.png", Image.fromarray(picture(30, 40, 1, 3)[..., 0].astype(np.uint16) * 256 + 77))
    save("rgba.png", Image.fromarray(picture(64, 48, 4, 4), "RGBA"))
    save("la.png", Image.fromarray(picture(31, 70, 2, 5), "LA"))
    save("clear.png", rgb.quantize(7), transparency=3)
    save("clear.gif", rgb.quantize(9), transparency=2)
    save("still.gif", rgb.quantize(30))
    save("rgb.bmp", rgb)
    save("lossless.webp", Image.fromarray(picture(50, 50, 4, 6), "RGBA"), lossless=True)
    save("lossy.webp", rgb, quality=70)
    save("small.png", Image.fromarray(picture(5, 4, 3, 7)))
    save("wide.png", Image.fromarray(picture(300, 7, 3, 8)))
    save("high.png", Image.fromarray(picture(7, 300, 1, 9)[..., 0]))


def background(spec):
    name = spec["Background"]
    return COLORS.get(name) or tuple(int(name[i : i + 2], 16) for i in (1, 3, 5))


def decode(path, palette=""):
    """The image as it is, of 8 bits: L, LA, RGB or RGBA. With palette "keep" its indexes are L."""
    image = Image.open(path)
    if image.mode == "P" and palette == "keep":
        return Image.fromarray(np.asarray(image))
    if image.mode == "CMYK":
        # As TensorFlow: what Adobe's programs write is stored inverted, and Pillow
        # has inverted it on reading.
        c = 255 - np.asarray(image).astype(int)
        return Image.fromarray((c[..., :3] * c[..., 3:] // 255).astype(np.uint8))
    if image.mode == "I;16":
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode == "1":
        return image.convert("L")
    if image.mode == "P":
        return image.convert("RGBA" if "transparency" in image.info else "RGB")
    return image


def over(image, color):
    canvas = Image.new("RGBA", image.size, color + (255,))
    canvas.alpha_composite(image.convert("RGBA"))
    return canvas.convert("RGB")


def resized(image, size, spec):
    name = spec["Resize"]["Filter"]
    if name != "area":
        return image.resize(size, FILTERS[name])
    pixels = cv2.resize(np.asarray(image), size, interpolation=cv2.INTER_AREA)
    return Image.fromarray(pixels, image.mode)


def nearest(n, d):
    """n / d, rounded half to even, at least 1."""
    whole, rest = divmod(n, d)
    return max(1, whole + (2 * rest > d or 2 * rest == d and whole % 2 == 1))


def size(image, resize):
    """The size before anything is cut."""
    w, h = image.size
    up, fit = resize["Up"], resize["Fit"]

    def by_width(to):
        return (w, h) if to >= w and not up else (to, nearest(to * h, w))

    def by_height(to):
        return (w, h) if to >= h and not up else (nearest(to * w, h), to)

    if resize["Short"]:
        return by_width(resize["Short"]) if w <= h else by_height(resize["Short"])
    if resize["Long"]:
        return by_width(resize["Long"]) if w >= h else by_height(resize["Long"])
    W, H = resize["Width"], resize["Height"]
    if fit == "stretch":
        return (W, H) if up else (min(w, W), min(h, H))
    if (W * h <= H * w) != (fit == "cover"):
        return by_width(W)
    return by_height(H)


def middle(image, width, height):
    x, y = (image.width - width) // 2, (image.height - height) // 2
    return image.crop((x, y, x + width, y + height))


def convert(path, spec):
    """The image that spec asks for, and whether it is written as JPEG; None where
    the crop is larger than it."""
    image = decode(path, spec["Palette"])
    source = Image.open(path)
    if spec["Orientation"] == "apply":
        turned = ImageOps.exif_transpose(source)
        if turned.size != source.size or turned is not source:
            image = ImageOps.exif_transpose(restore(image, source))
    jpeg = spec["Format"] == "jpeg" or spec["Format"] == "keep" and source.format == "JPEG"
    color = spec["Color"]
    if image.mode in ("LA", "RGBA") and (color != "keep" or jpeg):
        gray = image.mode == "LA"
        image = over(image, background(spec))
        if gray and color != "rgb" and len(set(background(spec))) == 1:
            image = image.convert("L")
    if color == "gray":
        image = image.convert("L")
    if color == "rgb":
        image = image.convert("RGB")
    if spec["Resize"]:
        image = resized(image, size(image, spec["Resize"]), spec)
    image, box = located(image, spec)
    if image is None:
        return None, jpeg
    if box != image.size:
        color = background(spec)
        if image.mode in ("L", "LA"):
            color = (Image.new("RGB", (1, 1), color).convert("L").getpixel((0, 0)),)
        if image.mode in ("LA", "RGBA"):
            color += (255,)
        canvas = Image.new(image.mode, box, color[0] if len(color) == 1 else color)
        canvas.paste(image, ((box[0] - image.width) // 2, (box[1] - image.height) // 2))
        image = canvas
    return image, jpeg


def restore(image, source):
    """The image with the EXIF data of its file."""
    image = image.copy()
    image.getexif()[0x0112] = source.getexif().get(0x0112, 1)
    return image


def digest(image, jpeg):
    """That of a JPEG's bytes, or of an image's mode, size and pixels."""
    what = jpeg or f"{image.mode} {image.width}x{image.height} ".encode() + image.tobytes()
    return hashlib.sha256(what).hexdigest()[:16]


def located(image, spec):
    """The part of a resized image that is kept, and its canvas: their sizes, and where the one is on the other."""
    resize, crop = spec["Resize"], spec["Crop"]
    pad = resize and resize["Fit"] == "pad"
    if resize and resize["Fit"] == "cover":
        image = middle(image, min(image.width, resize["Width"]), min(image.height, resize["Height"]))
    box = (resize["Width"], resize["Height"]) if pad else image.size
    if crop:
        if not pad and (crop["Width"] > image.width or crop["Height"] > image.height):
            return None, None
        box = crop["Width"], crop["Height"]
        image = middle(image, min(image.width, box[0]), min(image.height, box[1]))
    return image, box


def check(folder):
    faults = 0
    cases = json.load(open(os.path.join(folder, "cases.json")))
    digests = open(os.path.join(folder, "digests"), "w")
    for case in cases:
        spec = case["Spec"]
        want, jpeg = convert(case["File"], spec)
        name = f"{case['Name']} {os.path.basename(case['File'])}"
        if want is None or not case["Result"]:
            if want is not None or case["Result"]:
                faults += 1
                print(f"{name}: {case['Error'] or 'converted'}; Pillow: {want}")
            digests.write(f"{name}: refused\n")
            continue
        got = open(case["Result"], "rb").read()
        if jpeg:
            out = io.BytesIO()
            options = {"quality": spec["Quality"]}
            if want.mode != "L":  # where it is another way to say the same
                options["subsampling"] = {"420": 2, "422": 1, "444": 0}[spec["Subsampling"]]
            want.save(out, "JPEG", **options)
            same = bare(got) == out.getvalue()
            digests.write(f"{name}: {digest(None, out.getvalue())}\n")
        else:
            made = Image.open(io.BytesIO(got))
            same = made.format == "PNG" and digest(made, None) == digest(want, None)
            digests.write(f"{name}: {digest(want, None)}\n")
        if not same:
            faults += 1
            made = Image.open(io.BytesIO(got))
            print(f"{name} {json.dumps(spec)}: {made.format} {made.mode} {made.size}; expected {want.mode} {want.size}, other pixels or bytes")
    print(f"{len(cases)} results, {faults} differ")
    sys.exit(faults > 0 or len(cases) == 0)


def bare(jpeg):
    """A JPEG without the EXIF segment that tells its orientation."""
    if jpeg[20:22] == b"\xff\xe1":
        return jpeg[:20] + jpeg[22 + int.from_bytes(jpeg[22:24], "big") :]
    return jpeg


def filled(image, case):
    """The sample of padding, as Pillow has it: of up to 8 bits it is scaled; alpha is opaque."""
    scale = {"1 bit": 255, "2 bits": 85, "4 bits": 17}.get(case["Name"].split(", ")[1], 1)
    fill = case["Fill"] * scale
    return {"RGB": (fill,) * 3, "LA": (fill, 255), "RGBA": (fill,) * 3 + (255,)}.get(image.mode, fill)


def by_nearest(mask, to):
    """The mask resized by nearest neighbor. Pillow rounds positions in masks of 16 bits otherwise than in all
    others, and some results have another row or column: both bytes are resized on their own."""
    if mask.mode != "I;16":
        return mask.resize(to, Image.NEAREST)
    pixels = np.asarray(mask)
    high, low = (np.asarray(Image.fromarray(part.astype(np.uint8)).resize(to, Image.NEAREST)) for part in (pixels >> 8, pixels & 255))
    return Image.fromarray(high.astype(np.uint16) << 8 | low)


def moved(case):
    """The mask as its image was moved: turned, resized by nearest neighbor, cropped, and padded."""
    mask, spec = Image.open(case["Mask"]), case["Spec"]
    palette = mask.palette
    mask.getexif()[0x0112] = case["Orientation"]
    mask = ImageOps.exif_transpose(mask)
    if spec["Resize"]:
        mask = by_nearest(mask, size(mask, spec["Resize"]))
    mask, box = located(mask, spec)
    if box != mask.size:
        canvas = Image.new(mask.mode, box, filled(mask, case))
        canvas.paste(mask, ((box[0] - mask.width) // 2, (box[1] - mask.height) // 2))
        mask = canvas
    return mask, palette


def samples(image):
    """The bytes that Go's decoder has of an image."""
    if image.mode == "1":
        image = image.convert("L")
    elif image.mode in ("RGB", "LA"):
        image = image.convert("RGBA")
    elif image.mode == "I;16":
        return np.asarray(image).astype(">u2").tobytes()
    return image.tobytes()


def masks(folder):
    faults = 0
    cases = json.load(open(os.path.join(folder, "cases.json")))
    digests = open(os.path.join(folder, "digests"), "w")
    digests.write(f"what Pillow {PIL.__version__} makes\n")
    for case in cases:
        want, palette = moved(case)
        got = Image.open(case["Result"])
        same = got.mode == want.mode and got.size == want.size and got.tobytes() == want.tobytes()
        if palette:
            same = same and got.palette.palette == palette.palette
        if not same:
            faults += 1
            print(f"{case['Name']} {json.dumps(case['Spec'])}: {got.mode} {got.size}; expected {want.mode} {want.size}, or other pixels")
        digest = hashlib.sha256(f"{want.width} x {want.height} ".encode() + samples(want)).hexdigest()[:16]
        digests.write(f"{case['Name']}: {digest}\n")
    print(f"{len(cases)} masks, {faults} differ")
    sys.exit(faults > 0 or len(cases) == 0)


{"make": make, "check": check, "masks": masks}[sys.argv[1]](sys.argv[2])
