#include "textflag.h"
#include "words_amd64.h"

// The multipliers of pairs of words, for VPMADDWD.
PAIRS(inverse26to2, 4433, -10704)   // 0.541, 0.541-1.848
PAIRS(inverse26to3, 10703, 4433)    // 0.541+0.765, 0.541
PAIRS(inverse34to3, -6436, 9633)    // 1.176-1.962, 1.176
PAIRS(inverse34to4, 9633, 6437)     // 1.176, 1.176-0.390
PAIRS(inverse71to0, -4927, -7373)   // 0.299-0.900, -0.900
PAIRS(inverse71to3, -7373, 4926)    // -0.900, 1.501-0.900
PAIRS(inverse53to1, -4176, -20995)  // 2.053-2.563, -2.563
PAIRS(inverse53to2, -20995, 4177)   // -2.563, 3.073-2.563

// Rounding constants of both passes, and the offset that makes samples unsigned.
LONGS(inverseRound1, 1<<10)
LONGS(inverseRound2, 1<<17)
LONGS(center, 0x80808080)

// Shuffles the bytes of a lane from four columns of four rows to four rows of four columns.
LANES(rowsOfFour, 0x0d0905010c080400, 0x0f0b07030e0a0602)

// INVERSE is a pass over eight rows of eight words, in
//
//	Y0  row 0, columns 0-3 | row 1, columns 0-3 || row 0, columns 4-7 | row 1, columns 4-7
//	Y1  rows 2 and 3, Y2 rows 4 and 5, Y3 rows 6 and 7, in the same order
//
// where || separates the halves of a register, which are independent. The results are
// eight rows in Y4 to Y7, in the same order.
#define INVERSE(rounding, shift) \
	VPADDW      Y2, Y0, Y4                \ // 0+4, 1+5
	VPSUBW      Y2, Y0, Y5                \ // 0-4
	VPADDW      Y3, Y1, Y6                \ // 2+6, 3+7
	VPUNPCKHWD  Y4, Y6, Y6                \ // pairs of 3+7 and 1+5: z3, z4
	VPXOR       Y7, Y7, Y7                \
	VPUNPCKLWD  Y4, Y7, Y4                \
	VPUNPCKLWD  Y5, Y7, Y5                \
	VPSRAD      $3, Y4, Y4                \ // (0+4) << 13
	VPSRAD      $3, Y5, Y5                \ // (0-4) << 13
	VPADDD      rounding<>(SB), Y4, Y4    \
	VPADDD      rounding<>(SB), Y5, Y5    \
	VPUNPCKLWD  Y3, Y1, Y7                \ // pairs of 2 and 6
	VPUNPCKHWD  Y0, Y3, Y8                \ // of 7 and 1
	VPUNPCKHWD  Y1, Y2, Y9                \ // of 5 and 3
	VPMADDWD    inverse26to2<>(SB), Y7, Y10 \
	VPMADDWD    inverse26to3<>(SB), Y7, Y7  \
	VPADDD      Y7, Y4, Y0                \ // e0
	VPSUBD      Y7, Y4, Y3                \ // e3
	VPADDD      Y10, Y5, Y1               \ // e1
	VPSUBD      Y10, Y5, Y2               \ // e2
	VPMADDWD    inverse34to3<>(SB), Y6, Y4  \
	VPMADDWD    inverse34to4<>(SB), Y6, Y5  \
	VPMADDWD    inverse71to0<>(SB), Y8, Y10 \
	VPMADDWD    inverse71to3<>(SB), Y8, Y8  \
	VPMADDWD    inverse53to1<>(SB), Y9, Y11 \
	VPMADDWD    inverse53to2<>(SB), Y9, Y9  \
	VPADDD      Y4, Y10, Y10              \ // u0
	VPADDD      Y5, Y8, Y8                \ // u3
	VPADDD      Y5, Y11, Y11              \ // u1
	VPADDD      Y4, Y9, Y9                \ // u2
	VPADDD      Y8, Y0, Y4                \
	VPSUBD      Y8, Y0, Y0                \
	VPADDD      Y9, Y1, Y5                \
	VPSUBD      Y9, Y1, Y1                \
	VPADDD      Y11, Y2, Y6               \
	VPSUBD      Y11, Y2, Y2               \
	VPADDD      Y10, Y3, Y7               \
	VPSUBD      Y10, Y3, Y3               \
	VPSRAD      $shift, Y4, Y4            \ // 0
	VPSRAD      $shift, Y5, Y5            \ // 1
	VPSRAD      $shift, Y6, Y6            \ // 2
	VPSRAD      $shift, Y7, Y7            \ // 3
	VPSRAD      $shift, Y3, Y3            \ // 4
	VPSRAD      $shift, Y2, Y2            \ // 5
	VPSRAD      $shift, Y1, Y1            \ // 6
	VPSRAD      $shift, Y0, Y0            \ // 7
	VPACKSSDW   Y5, Y4, Y4                \
	VPACKSSDW   Y7, Y6, Y5                \
	VPACKSSDW   Y2, Y3, Y6                \
	VPACKSSDW   Y0, Y1, Y7

// func inverseDCTAVX2(dst *byte, stride int, b *[64]int16, q *[64]uint16)
TEXT ·inverseDCTAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ stride+8(FP), DX
	MOVQ b+16(FP), SI
	MOVQ q+24(FP), CX

	VMOVDQU 0(SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VMOVDQU 16(SI), X4
	VPOR    Y2, Y1, Y5
	VPOR    Y3, Y4, Y4
	VPOR    Y5, Y4, Y4
	VPMULLW 0(CX), Y0, Y0
	VPTEST  Y4, Y4
	JZ      flat

	VPMULLW 32(CX), Y1, Y1
	VPMULLW 64(CX), Y2, Y2
	VPMULLW 96(CX), Y3, Y3
	VPERMQ  $0xd8, Y0, Y0
	VPERMQ  $0xd8, Y1, Y1
	VPERMQ  $0xd8, Y2, Y2
	VPERMQ  $0xd8, Y3, Y3
	INVERSE(inverseRound1, 11)

	// Rows become columns.
	VPUNPCKLWD Y5, Y4, Y0      // rows 0 and 2
	VPUNPCKHWD Y5, Y4, Y1      // rows 1 and 3
	VPUNPCKLWD Y7, Y6, Y8      // rows 4 and 6
	VPUNPCKHWD Y7, Y6, Y9      // rows 5 and 7
	VPUNPCKLWD Y1, Y0, Y2      // columns 0 and 1 || 4 and 5, of rows 0-3
	VPUNPCKHWD Y1, Y0, Y3      // columns 2 and 3 || 6 and 7
	VPUNPCKLWD Y9, Y8, Y4      // columns 0 and 1 || 4 and 5, of rows 4-7
	VPUNPCKHWD Y9, Y8, Y5      // columns 2 and 3 || 6 and 7
	VPERM2I128 $0x20, Y4, Y2, Y0
	VPERM2I128 $0x20, Y5, Y3, Y1
	VPERM2I128 $0x31, Y4, Y2, Y2
	VPERM2I128 $0x31, Y5, Y3, Y3

second:
	INVERSE(inverseRound2, 18)

	VPACKSSWB   Y5, Y4, Y0             // columns 0-3 of rows 0-3 || rows 4-7
	VPACKSSWB   Y7, Y6, Y1             // columns 4-7
	VPSHUFB     rowsOfFour<>(SB), Y0, Y0
	VPSHUFB     rowsOfFour<>(SB), Y1, Y1
	VPUNPCKLDQ  Y1, Y0, Y2             // rows 0 and 1 || 4 and 5
	VPUNPCKHDQ  Y1, Y0, Y3             // rows 2 and 3 || 6 and 7
	VPXOR       center<>(SB), Y2, Y2
	VPXOR       center<>(SB), Y3, Y3

	LEAQ         (DX)(DX*2), R8        // 3 rows
	LEAQ         (DI)(DX*4), SI        // row 4
	VEXTRACTI128 $1, Y2, X4
	VEXTRACTI128 $1, Y3, X5
	VMOVQ        X2, (DI)
	VMOVHPS      X2, (DI)(DX*1)
	VMOVQ        X3, (DI)(DX*2)
	VMOVHPS      X3, (DI)(R8*1)
	VMOVQ        X4, (SI)
	VMOVHPS      X4, (SI)(DX*1)
	VMOVQ        X5, (SI)(DX*2)
	VMOVHPS      X5, (SI)(R8*1)
	VZEROUPPER
	RET

flat:
	// All rows are equal to the first one, multiplied by four.
	VPSLLW     $2, X0, X0
	VPERMQ     $0x44, Y0, Y0
	VPUNPCKLWD Y0, Y0, Y4
	VPUNPCKHWD Y0, Y0, Y5
	VPSHUFD    $0x50, Y4, Y0
	VPSHUFD    $0xfa, Y4, Y1
	VPSHUFD    $0x50, Y5, Y2
	VPSHUFD    $0xfa, Y5, Y3
	JMP        second
