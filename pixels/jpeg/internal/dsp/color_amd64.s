#include "textflag.h"
#include "words_amd64.h"

// From YCbCr. The rest of the factors after integer multiples, with 15 fractional
// bits: red is Y + Cr + 0.402 Cr, blue is Y + 2 Cb - 0.228 Cb. VPMULHRSW rounds
// their products like 16 fractional bits would.
WORDS(crToRed, 13173)
WORDS(cbToBlue, -7471)
WORDS(lowBytes, 0xff)
WORDS(middle, 128)

// Green is Y - Cr + (9367 Cr - 11277 Cb) / 2^15. The factors have two digits
// in base 256, for the products of bytes: 9367 is 37*256-105, -11277 is -44*256-13.
BYTES(toGreenHigh, -44, 37)
BYTES(toGreenLow, -13, -105)

// A half, and the correction for Cb and Cr, which are 128 above zero:
// 2^14 + 128*(11277-9367), without the last 8 bits, which are zero; and 128*128, for Cr.
WORDS(toGreenMore, 1019+16384)

// The positions of sixteen samples of a color in 48 bytes. Each 16 bytes begin with
// another color.
LANES(spreadRed, 0x0d02070c01060b00, 0x050a0f04090e0308)
LANES(spreadGreen, 0x02070c01060b0005, 0x0a0f04090e03080d)
LANES(spreadBlue, 0x070c01060b00050a, 0x0f04090e03080d02)
LANES(seconds, 0xff0000ff0000ff00, 0x0000ff0000ff0000) // second of three
LANES(thirds, 0x0000ff0000ff0000, 0x00ff0000ff0000ff)

// COLORS computes words of red, green, and blue from pairs of Cb and Cr and words of Y.
// Blue replaces the pairs.
#define COLORS(pairs, y, red, green, t0, t1) \
	VPSRLW     $8, pairs, t0                   \ // Cr
	VPSUBW     middle<>(SB), t0, red           \
	VPMULHRSW  crToRed<>(SB), red, t1          \
	VPADDW     y, red, red                     \
	VPADDW     t1, red, red                    \
	VPMADDUBSW toGreenHigh<>(SB), pairs, green \
	VPMADDUBSW toGreenLow<>(SB), pairs, t1     \
	VPADDW     toGreenMore<>(SB), green, green \
	VPSRAW     $8, t1, t1                      \
	VPADDW     t1, green, green                \
	VPSRAW     $7, green, green                \
	VPSUBW     t0, green, green                \
	VPADDW     y, green, green                 \
	VPAND      lowBytes<>(SB), pairs, pairs    \ // Cb
	VPSUBW     middle<>(SB), pairs, pairs      \
	VPMULHRSW  cbToBlue<>(SB), pairs, t1       \
	VPADDW     pairs, pairs, pairs             \
	VPADDW     y, pairs, pairs                 \
	VPADDW     t1, pairs, pairs

// func yccToRGBAVX2(dst, y, cb, cr *byte, n int)
TEXT ·yccToRGBAVX2(SB), NOSPLIT, $0-40
	MOVQ  dst+0(FP), DI
	MOVQ  y+8(FP), SI
	MOVQ  cb+16(FP), R9
	MOVQ  cr+24(FP), R10
	MOVQ  n+32(FP), CX
	VPXOR Y15, Y15, Y15
	ROWS

pixels:
	VMOVDQU    (R9)(BX*1), Y0
	VMOVDQU    (R10)(BX*1), Y1
	VMOVDQU    (SI)(BX*1), Y2
	VPUNPCKLBW Y1, Y0, Y3
	VPUNPCKHBW Y1, Y0, Y4
	VPUNPCKLBW Y15, Y2, Y1
	VPUNPCKHBW Y15, Y2, Y2
	COLORS(Y3, Y1, Y5, Y7, Y9, Y10)
	COLORS(Y4, Y2, Y6, Y8, Y9, Y10)
	VPACKUSWB  Y6, Y5, Y0
	VPACKUSWB  Y8, Y7, Y1
	VPACKUSWB  Y4, Y3, Y2

	VMOVDQU   seconds<>(SB), Y3
	VMOVDQU   thirds<>(SB), Y4
	VPSHUFB   spreadRed<>(SB), Y0, Y0
	VPSHUFB   spreadGreen<>(SB), Y1, Y1
	VPSHUFB   spreadBlue<>(SB), Y2, Y2
	VPBLENDVB Y3, Y1, Y0, Y5           // red, green, blue, red, …
	VPBLENDVB Y4, Y2, Y5, Y5
	VPBLENDVB Y3, Y2, Y1, Y6           // green, blue, red, …
	VPBLENDVB Y4, Y0, Y6, Y6
	VPBLENDVB Y3, Y0, Y2, Y7           // blue, red, green, …
	VPBLENDVB Y4, Y1, Y7, Y7

	LEAQ         (BX)(BX*2), R11
	ADDQ         DI, R11
	VMOVDQU      X5, 0(R11)
	VMOVDQU      X6, 16(R11)
	VMOVDQU      X7, 32(R11)
	VEXTRACTI128 $1, Y5, 48(R11)
	VEXTRACTI128 $1, Y6, 64(R11)
	VEXTRACTI128 $1, Y7, 80(R11)
	NEXT(pixels)

done:
	VZEROUPPER
	RET

// To YCbCr. The factors with 16 fractional bits have two digits in base 256, too. The
// factor of green for Y, 150*256+70, is split in two, because no digit may exceed 127.
BYTES(redGreenToYHigh, 77, 51)
BYTES(greenBlueToYHigh, 99, 29)
BYTES(redGreenToYLow, -117, 70)
BYTES(greenBlueToYLow, 0, 47)
BYTES(redGreenToCbHigh, -43, -85)
BYTES(redGreenToCbLow, -51, 51)
BYTES(greenBlueToCrHigh, -107, -21)
BYTES(greenBlueToCrLow, -47, 47)
WORDS(highBytes, 0xff00)

// The rounding constants, in two digits, too: 128*256+0 for Y, 127*256+255 for the others.
WORDS(round128, 128)
WORDS(round127, 127)
WORDS(round255, 255)
WORDS(signs, 0x8080)

// Shuffles of four pixels, and of four pixels after four bytes, to pairs of red and
// green, and of green and blue.
LANES(toPairs, 0x0a09070604030100, 0x0b0a080705040201)
LANES(toPairsAfter4, 0x0e0d0b0a08070504, 0x0f0e0c0b09080605)

// PIXELS loads pixels as pairs of red and green and of green and blue: eight
// pixels at offset at, and eight pixels 48 bytes further. If loading the second four
// would read too much, the load begins 4 bytes earlier, with the other mask.
#define PIXELS(at, second, mask, redGreen, greenBlue) \
	VMOVDQU     at(R11), X0                 \
	VINSERTI128 $1, at+48(R11), Y0, Y0      \
	VMOVDQU     second(R11), X1             \
	VINSERTI128 $1, second+48(R11), Y1, Y1  \
	VPSHUFB     toPairs<>(SB), Y0, Y0       \
	VPSHUFB     mask<>(SB), Y1, Y1          \
	VPUNPCKLQDQ Y1, Y0, redGreen            \
	VPUNPCKHQDQ Y1, Y0, greenBlue

// LUMA computes words of Y.
#define LUMA(redGreen, greenBlue, y, t0, t1) \
	VPMADDUBSW redGreenToYHigh<>(SB), redGreen, y    \
	VPMADDUBSW greenBlueToYHigh<>(SB), greenBlue, t0 \
	VPADDW     t0, y, y                              \
	VPMADDUBSW redGreenToYLow<>(SB), redGreen, t0    \
	VPADDW     round128<>(SB), y, y                  \
	VPMADDUBSW greenBlueToYLow<>(SB), greenBlue, t1  \
	VPADDW     t1, t0, t0                            \
	VPSRAW     $8, t0, t0                            \
	VPADDW     t0, y, y                              \
	VPSRLW     $8, y, y

// CHROMA computes words of Cb or Cr, less 128, from pairs of two colors. The third
// color, in c, is multiplied by 128.
#define CHROMA(pairs, high, low, c, t0, t1) \
	VPMADDUBSW low<>(SB), pairs, t0    \
	VPMADDUBSW high<>(SB), pairs, t1   \
	VPADDW     round255<>(SB), t0, t0  \
	VPADDW     round127<>(SB), t1, t1  \
	VPSRAW     $8, t0, t0              \
	VPADDW     t1, c, c                \
	VPADDW     t0, c, c                \
	VPSRAW     $8, c, c

// func rgbToYCCAVX2(y, cb, cr, src *byte, n int)
TEXT ·rgbToYCCAVX2(SB), NOSPLIT, $0-40
	MOVQ y+0(FP), DI
	MOVQ cb+8(FP), R9
	MOVQ cr+16(FP), R10
	MOVQ src+24(FP), SI
	MOVQ n+32(FP), CX
	ROWS

pixels:
	LEAQ (BX)(BX*2), R11
	ADDQ SI, R11
	PIXELS(0, 12, toPairs, Y2, Y3)
	PIXELS(24, 32, toPairsAfter4, Y4, Y5)

	LUMA(Y2, Y3, Y6, Y8, Y9)
	LUMA(Y4, Y5, Y7, Y10, Y11)
	VPACKUSWB Y7, Y6, Y6
	VMOVDQU   Y6, (DI)(BX*1)

	VPAND     highBytes<>(SB), Y3, Y6 // blue
	VPAND     highBytes<>(SB), Y5, Y7
	VPSRLW    $1, Y6, Y6
	VPSRLW    $1, Y7, Y7
	CHROMA(Y2, redGreenToCbHigh, redGreenToCbLow, Y6, Y8, Y9)
	CHROMA(Y4, redGreenToCbHigh, redGreenToCbLow, Y7, Y10, Y11)
	VPACKSSWB Y7, Y6, Y6
	VPXOR     signs<>(SB), Y6, Y6
	VMOVDQU   Y6, (R9)(BX*1)

	VPSLLW    $8, Y2, Y6              // red
	VPSLLW    $8, Y4, Y7
	VPSRLW    $1, Y6, Y6
	VPSRLW    $1, Y7, Y7
	CHROMA(Y3, greenBlueToCrHigh, greenBlueToCrLow, Y6, Y8, Y9)
	CHROMA(Y5, greenBlueToCrHigh, greenBlueToCrLow, Y7, Y10, Y11)
	VPACKSSWB Y7, Y6, Y6
	VPXOR     signs<>(SB), Y6, Y6
	VMOVDQU   Y6, (R10)(BX*1)
	NEXT(pixels)

done:
	VZEROUPPER
	RET
