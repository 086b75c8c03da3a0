#include "textflag.h"
#include "words_amd64.h"

BYTES(threeToOne, 3, 1)
BYTES(nineToThree, 9, 3)
BYTES(oneToOne, 1, 1)
WORDS(one, 1)
WORDS(two, 2)
WORDS(seven, 7)
WORDS(eight, 8)
WORDS(highs, 0xff00)
PAIRS(oneTwo, 1, 2)

// STORE2 stores 64 samples at dst+2+2*BX. low and high have 16 of each 32 samples.
#define STORE2(low, lowX, high, highX) \
	VMOVDQU      lowX, 2(DI)(BX*2)         \
	VMOVDQU      highX, 18(DI)(BX*2)       \
	VEXTRACTI128 $1, low, 34(DI)(BX*2)     \
	VEXTRACTI128 $1, high, 50(DI)(BX*2)

// MIX1 computes the samples before and after the current one, as bytes of a word. Its
// inputs are pairs of the current sample and the one before, and the one after.
#define MIX1(before, after) \
	VPMADDUBSW threeToOne<>(SB), before, before \
	VPMADDUBSW threeToOne<>(SB), after, after   \
	VPADDW     one<>(SB), before, before        \
	VPADDW     two<>(SB), after, after          \
	VPSRLW     $2, before, before               \
	VPSLLW     $6, after, after                 \
	VPAND      highs<>(SB), after, after        \
	VPOR       after, before, before

// func upsampleH2V1AVX2(dst, src *byte, n int)
TEXT ·upsampleH2V1AVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SUBQ $2, CX          // the ends are not for here
	ROWS

samples:
	VMOVDQU    0(SI)(BX*1), Y0
	VMOVDQU    1(SI)(BX*1), Y1
	VMOVDQU    2(SI)(BX*1), Y2
	VPUNPCKLBW Y0, Y1, Y3
	VPUNPCKHBW Y0, Y1, Y4
	VPUNPCKLBW Y2, Y1, Y5
	VPUNPCKHBW Y2, Y1, Y6
	MIX1(Y3, Y5)
	MIX1(Y4, Y6)
	STORE2(Y3, X3, Y4, X4)
	NEXT(samples)

done:
	VZEROUPPER
	RET

// MIX2 is MIX1 for two rows. Its inputs are pairs of the near row and the far row.
#define MIX2(before, this, after) \
	VPMADDUBSW nineToThree<>(SB), this, this    \
	VPMADDUBSW threeToOne<>(SB), before, before \
	VPMADDUBSW threeToOne<>(SB), after, after   \
	VPADDW     this, before, before             \
	VPADDW     this, after, after               \
	VPADDW     eight<>(SB), before, before      \
	VPADDW     seven<>(SB), after, after        \
	VPSRLW     $4, before, before               \
	VPSLLW     $4, after, after                 \
	VPAND      highs<>(SB), after, after        \
	VPOR       after, before, before

// func upsampleH2V2AVX2(dst, near, far *byte, n int)
TEXT ·upsampleH2V2AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ near+8(FP), SI
	MOVQ far+16(FP), DX
	MOVQ n+24(FP), CX
	SUBQ $2, CX          // the ends are not for here
	ROWS

samples:
	VMOVDQU    0(SI)(BX*1), Y0
	VMOVDQU    1(SI)(BX*1), Y1
	VMOVDQU    2(SI)(BX*1), Y2
	VMOVDQU    0(DX)(BX*1), Y3
	VMOVDQU    1(DX)(BX*1), Y4
	VMOVDQU    2(DX)(BX*1), Y5
	VPUNPCKLBW Y3, Y0, Y6
	VPUNPCKHBW Y3, Y0, Y0
	VPUNPCKLBW Y4, Y1, Y7
	VPUNPCKHBW Y4, Y1, Y1
	VPUNPCKLBW Y5, Y2, Y8
	VPUNPCKHBW Y5, Y2, Y2
	MIX2(Y6, Y7, Y8)
	MIX2(Y0, Y1, Y2)
	STORE2(Y6, X6, Y0, X0)
	NEXT(samples)

done:
	VZEROUPPER
	RET

// func downsampleH2V2AVX2(dst, upper, lower *byte, n int)
TEXT ·downsampleH2V2AVX2(SB), NOSPLIT, $0-32
	MOVQ    dst+0(FP), DI
	MOVQ    upper+8(FP), SI
	MOVQ    lower+16(FP), DX
	MOVQ    n+24(FP), CX
	VMOVDQU oneToOne<>(SB), Y4
	VMOVDQU oneTwo<>(SB), Y5
	ROWS

samples:
	VMOVDQU    0(SI)(BX*2), Y0
	VMOVDQU    32(SI)(BX*2), Y1
	VMOVDQU    0(DX)(BX*2), Y2
	VMOVDQU    32(DX)(BX*2), Y3
	VPMADDUBSW Y4, Y0, Y0
	VPMADDUBSW Y4, Y1, Y1
	VPMADDUBSW Y4, Y2, Y2
	VPMADDUBSW Y4, Y3, Y3
	VPADDW     Y5, Y0, Y0
	VPADDW     Y5, Y1, Y1
	VPADDW     Y2, Y0, Y0
	VPADDW     Y3, Y1, Y1
	VPSRLW     $2, Y0, Y0
	VPSRLW     $2, Y1, Y1
	VPACKUSWB  Y1, Y0, Y0
	VPERMQ     $0xd8, Y0, Y0
	VMOVDQU    Y0, (DI)(BX*1)
	NEXT(samples)

done:
	VZEROUPPER
	RET
