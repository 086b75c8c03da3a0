#include "go_asm.h"
#include "textflag.h"
#include "words_amd64.h"

// The multipliers of pairs of words, for VPMADDWD.
PAIRS(forward32to2, 10703, 4433)   // 0.541+0.765, 0.541
PAIRS(forward32to6, 4433, -10704)  // 0.541, 0.541-1.848
PAIRS(forward43to3, 9633, -6436)   // 1.176, 1.176-1.962
PAIRS(forward43to4, 6437, 9633)    // 1.176-0.390, 1.176
PAIRS(forward74to7, -7373, -4927)  // -0.900, 0.299-0.900
PAIRS(forward74to1, 4926, -7373)   // 1.501-0.900, -0.900
PAIRS(forward65to5, -20995, -4176) // -2.563, 2.053-2.563
PAIRS(forward65to3, 4177, -20995)  // 3.073-2.563, -2.563

// Rounding constants of the first pass, the second pass, and the sums of the second.
LONGS(forwardRound1, 1<<10)
LONGS(forwardRound2, 1<<14)
WORDS(forwardRoundSums, 2)

LANES(plusMinus, 0x0001000100010001, 0xffffffffffffffff)

// The first pass adds samples from 0 to 255, so its sums are 4*8*128 too large.
LANES(tooMuch, 0x1000100010001000, 0)

// FORWARD is a pass over eight rows of eight words, in
//
//	Y0  row 0, columns 0-3 | row 1, columns 0-3 || row 0, columns 4-7 | row 1, columns 4-7
//	Y1  rows 2 and 3, Y2 rows 5 and 4, Y3 rows 7 and 6, in the same order
//
// where || separates the halves of a register, which are independent. The results are
// rows 0 and 4 in Y0, not rounded, 2 and 6 in Y1, 1 and 5 in Y2, 3 and 7 in Y3, in the
// same order.
#define FORWARD(rounding, shift) \
	VPADDW     Y3, Y0, Y4                \ // t0, t1
	VPSUBW     Y3, Y0, Y5                \ // t7, t6
	VPADDW     Y2, Y1, Y6                \ // t2, t3
	VPSUBW     Y2, Y1, Y7                \ // t5, t4
	VPSHUFD    $0x4e, Y6, Y6             \ // t3, t2
	VPADDW     Y6, Y4, Y0                \ // e0, e1
	VPSUBW     Y6, Y4, Y1                \ // e3, e2
	VPSHUFD    $0x4e, Y0, Y2             \ // e1, e0
	VPSIGNW    plusMinus<>(SB), Y0, Y0   \ // e0, -e1
	VPADDW     Y2, Y0, Y0                \
	VPSHUFD    $0x4e, Y1, Y2             \ // e2, e3
	VPUNPCKLWD Y2, Y1, Y1                \ // pairs of e3 and e2
	VPMADDWD   forward32to2<>(SB), Y1, Y2 \
	VPMADDWD   forward32to6<>(SB), Y1, Y3 \
	VPADDD     rounding<>(SB), Y2, Y2    \
	VPADDD     rounding<>(SB), Y3, Y3    \
	VPSRAD     $shift, Y2, Y2            \ // 2
	VPSRAD     $shift, Y3, Y3            \ // 6
	VPACKSSDW  Y3, Y2, Y1                \
	VPADDW     Y7, Y5, Y2                \ // z4, z3
	VPSHUFD    $0x4e, Y2, Y3             \
	VPUNPCKLWD Y3, Y2, Y2                \ // pairs of z4 and z3
	VPSHUFD    $0x4e, Y7, Y7             \ // t4, t5
	VPUNPCKLWD Y7, Y5, Y3                \ // pairs of t7 and t4
	VPUNPCKHWD Y7, Y5, Y5                \ // pairs of t6 and t5
	VPMADDWD   forward43to3<>(SB), Y2, Y4 \
	VPMADDWD   forward43to4<>(SB), Y2, Y2 \
	VPADDD     rounding<>(SB), Y4, Y4    \
	VPADDD     rounding<>(SB), Y2, Y2    \
	VPMADDWD   forward74to7<>(SB), Y3, Y6 \
	VPMADDWD   forward74to1<>(SB), Y3, Y3 \
	VPMADDWD   forward65to5<>(SB), Y5, Y7 \
	VPMADDWD   forward65to3<>(SB), Y5, Y5 \
	VPADDD     Y4, Y6, Y6                \
	VPADDD     Y2, Y3, Y3                \
	VPADDD     Y2, Y7, Y7                \
	VPADDD     Y4, Y5, Y5                \
	VPSRAD     $shift, Y6, Y6            \ // 7
	VPSRAD     $shift, Y3, Y3            \ // 1
	VPSRAD     $shift, Y7, Y7            \ // 5
	VPSRAD     $shift, Y5, Y5            \ // 3
	VPACKSSDW  Y7, Y3, Y2                \
	VPACKSSDW  Y6, Y5, Y3

// QUANTIZE divides two rows of coefficients, whose halves are in v, and stores them at
// offset at of the block.
#define QUANTIZE(v, at) \
	VPERMQ   $0xd8, v, v                          \
	VPABSW   v, Y0                                \
	VPADDW   Divisors_correction+at(R9), Y0, Y0   \
	VPMULHUW Divisors_reciprocal+at(R9), Y0, Y0   \
	VPMULHUW Divisors_scale+at(R9), Y0, Y0        \
	VPSIGNW  v, Y0, Y0                            \
	VMOVDQU  Y0, at(DI)

// func forwardDCTAVX2(out *[64]int16, src *byte, stride int, d *Divisors)
TEXT ·forwardDCTAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), DX
	MOVQ d+24(FP), R9

	// Rows become columns: four rows in each half.
	LEAQ        (DX)(DX*2), R8
	LEAQ        (SI)(DX*4), R10
	VMOVQ       (SI), X0
	VMOVHPS     (SI)(DX*1), X0, X0
	VMOVQ       (SI)(DX*2), X1
	VMOVHPS     (SI)(R8*1), X1, X1
	VMOVQ       (R10), X2
	VMOVHPS     (R10)(DX*1), X2, X2
	VMOVQ       (R10)(DX*2), X3
	VMOVHPS     (R10)(R8*1), X3, X3
	VINSERTI128 $1, X2, Y0, Y0          // rows 0 and 1 || 4 and 5
	VINSERTI128 $1, X3, Y1, Y1          // rows 2 and 3 || 6 and 7
	VPXOR       Y7, Y7, Y7
	VPUNPCKLBW  Y1, Y0, Y2              // rows 0 and 2
	VPUNPCKHBW  Y1, Y0, Y3              // rows 1 and 3
	VPUNPCKLBW  Y3, Y2, Y4              // columns 0-3
	VPUNPCKHBW  Y3, Y2, Y5              // columns 4-7
	VPSHUFD     $0xb1, Y5, Y5           // 5, 4, 7, 6
	VPUNPCKLBW  Y7, Y4, Y0
	VPUNPCKHBW  Y7, Y4, Y1
	VPUNPCKLBW  Y7, Y5, Y2
	VPUNPCKHBW  Y7, Y5, Y3

	FORWARD(forwardRound1, 11)
	VPSLLW $2, Y0, Y0
	VPSUBW tooMuch<>(SB), Y0, Y0

	// Columns become rows.
	VPUNPCKLWD Y1, Y0, Y4            // columns 0 and 2
	VPUNPCKHWD Y1, Y0, Y5            // columns 4 and 6
	VPUNPCKLWD Y3, Y2, Y6            // columns 1 and 3
	VPUNPCKHWD Y3, Y2, Y7            // columns 5 and 7
	VPUNPCKLWD Y6, Y4, Y0            // rows 0 and 1 || 4 and 5, of columns 0-3
	VPUNPCKHWD Y6, Y4, Y1            // rows 2 and 3 || 6 and 7
	VPUNPCKLWD Y7, Y5, Y2            // rows 0 and 1 || 4 and 5, of columns 4-7
	VPUNPCKHWD Y7, Y5, Y3            // rows 2 and 3 || 6 and 7
	VPERM2I128 $0x31, Y2, Y0, Y4
	VPERM2I128 $0x31, Y3, Y1, Y5
	VPERM2I128 $0x20, Y2, Y0, Y0
	VPERM2I128 $0x20, Y3, Y1, Y1
	VPSHUFD    $0x4e, Y4, Y2
	VPSHUFD    $0x4e, Y5, Y3

	FORWARD(forwardRound2, 15)
	VPADDW forwardRoundSums<>(SB), Y0, Y0
	VPSRAW $2, Y0, Y0

	VPUNPCKLQDQ Y2, Y0, Y4           // rows 0 and 1
	VPUNPCKHQDQ Y2, Y0, Y5           // rows 4 and 5
	VPUNPCKLQDQ Y3, Y1, Y6           // rows 2 and 3
	VPUNPCKHQDQ Y3, Y1, Y7           // rows 6 and 7
	QUANTIZE(Y4, 0)
	QUANTIZE(Y6, 32)
	QUANTIZE(Y5, 64)
	QUANTIZE(Y7, 96)
	VZEROUPPER
	RET
