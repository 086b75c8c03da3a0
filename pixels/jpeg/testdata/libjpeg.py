# Says what libjpeg-turbo makes of JPEG files: the very library that Pillow brings,
# called without Pillow, which would stop where libjpeg goes on.
#
#	libjpeg.py FOLDER COUNT OUT
#
# FOLDER has the files 0, 1, …; OUT gets a line for each:
#
#	ok WIDTH HEIGHT CHANNELS CRC32 [WARNING=TIMES …]
#	no ERROR
#	large          more pixels than the test allows
#
# An error ends the process that has it, so that a child does the work and is
# followed by another one.
import ctypes
import glob
import os
import struct
import sys
import zlib

import PIL

folder, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
site = os.path.dirname(os.path.dirname(PIL.__file__))
library = ctypes.CDLL(glob.glob(os.path.join(site, "pillow.libs", "libjpeg-*.so*"))[0])

# struct jpeg_decompress_struct of libjpeg 6.2, where pointers have 64 bits.
SIZE = 632
IMAGE, WIDTH, COMPONENTS, LINE = 48, 136, 148, 168
MOST = 1 << 22  # pixels

# The numbers of the warnings, in the order of jerror.h.
WARNINGS = {
    114: "UnknownAdobe", 115: "BadProgression", 116: "ExtraBytes", 117: "ShortScan",
    118: "BadCode", 119: "UnknownJFIF", 120: "EarlyEnd", 121: "LostRestart",
    122: "BadScanHeader",
}

ErrorExit = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Emit = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)


class Errors(ctypes.Structure):
    _fields_ = [
        ("error_exit", ErrorExit), ("emit_message", Emit), ("output_message", ErrorExit),
        ("format_message", ctypes.c_void_p), ("reset", ctypes.c_void_p),
        ("code", ctypes.c_int), ("rest", ctypes.c_char * 200),
    ]


def decode(data, lines):
    errors = Errors()
    library.jpeg_std_error(ctypes.byref(errors))
    found = {}

    def error(_):
        lines.write("no %d\n" % errors.code)
        lines.close()
        os._exit(0)

    def emit(_, level):
        if level < 0:
            found[errors.code] = found.get(errors.code, 0) + 1

    errors.error_exit, errors.emit_message, errors.output_message = ErrorExit(error), Emit(emit), ErrorExit(error)
    state = ctypes.create_string_buffer(SIZE)
    struct.pack_into("P", state, 0, ctypes.addressof(errors))
    library.jpeg_CreateDecompress(state, 62, ctypes.c_size_t(SIZE))
    library.jpeg_mem_src(state, data, ctypes.c_ulong(len(data)))
    library.jpeg_read_header(state, 1)
    width, height = struct.unpack_from("II", state, IMAGE)
    if width * height > MOST:
        lines.write("large\n")
        library.jpeg_destroy_decompress(state)
        return
    library.jpeg_start_decompress(state)
    width, height = struct.unpack_from("II", state, WIDTH)
    channels, = struct.unpack_from("i", state, COMPONENTS)
    pixels = ctypes.create_string_buffer(max(width * height * channels, 1))
    while struct.unpack_from("I", state, LINE)[0] < height:
        row = ctypes.addressof(pixels) + struct.unpack_from("I", state, LINE)[0] * width * channels
        library.jpeg_read_scanlines(state, ctypes.byref(ctypes.c_void_p(row)), 1)
    library.jpeg_finish_decompress(state)
    library.jpeg_destroy_decompress(state)
    told = "".join(" %s=%d" % (WARNINGS.get(k, str(k)), found[k]) for k in sorted(found))
    lines.write("ok %d %d %d %08x%s\n" % (width, height, channels, zlib.crc32(pixels.raw[:width * height * channels]), told))


def written():
    with open(out, "rb") as f:
        return f.read().count(b"\n")


open(out, "w").close()
done = 0
while done < count:
    child = os.fork()
    if child == 0:
        with open(out, "a", buffering=1) as lines:
            for i in range(done, count):
                with open(os.path.join(folder, str(i)), "rb") as f:
                    decode(f.read(), lines)
        os._exit(0)
    os.waitpid(child, 0)
    before, done = done, written()
    if done == before:
        sys.exit("file %d: libjpeg ended the process" % done)
