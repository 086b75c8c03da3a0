#include "textflag.h"

// Weights have 23 bits, and VPMADDWD multiplies 16. So a weight is split into its
// lowest 12 bits and the rest, and the two sums are added at the end. Sums may
// overflow before that; the last addition compensates for it.

DATA half<>+0(SB)/4, $0x200000
GLOBL half<>(SB), RODATA|NOPTR, $4

// Masks that shuffle four pixels to words, with the same channel of two pixels next
// to each other. 0x80 is a zero.
DATA pixels3<>+0(SB)/8, $0x8004800180038000
DATA pixels3<>+8(SB)/8, $0x8080808080058002
DATA pixels3<>+16(SB)/8, $0x800a800780098006
DATA pixels3<>+24(SB)/8, $0x80808080800b8008
GLOBL pixels3<>(SB), RODATA|NOPTR, $32

DATA pixels4<>+0(SB)/8, $0x8005800180048000
DATA pixels4<>+8(SB)/8, $0x8007800380068002
DATA pixels4<>+16(SB)/8, $0x800d8009800c8008
DATA pixels4<>+24(SB)/8, $0x800f800b800e800a
GLOBL pixels4<>(SB), RODATA|NOPTR, $32

DATA pixels1<>+0(SB)/8, $0x8001800080018000
DATA pixels1<>+8(SB)/8, $0x8003800280038002
GLOBL pixels1<>(SB), RODATA|NOPTR, $16

// func columnsAVX2(dst *byte, dstStride int, src *byte, srcStride int, first *int32, pairs *int16, n, groups, channels int)
//
// Four rows at once, two in each register: Y0 and Y2 sum the low parts of rows 0, 1
// and 2, 3; Y1 and Y3 sum the high parts.
TEXT ·columnsAVX2(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ dstStride+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ srcStride+24(FP), R9
	MOVQ first+32(FP), R10
	MOVQ pairs+40(FP), DX
	MOVQ n+48(FP), CX
	LEAQ (SI)(R9*2), R13
	LEAQ (R13)(R9*1), R12
	ADDQ SI, R9
	VPBROADCASTD half<>(SB), Y13
	CMPQ channels+64(FP), $4
	JEQ four
	VBROADCASTI128 pixels3<>+0(SB), Y14
	VBROADCASTI128 pixels3<>+16(SB), Y15
	JMP pixel

four:
	VBROADCASTI128 pixels4<>+0(SB), Y14
	VBROADCASTI128 pixels4<>+16(SB), Y15

pixel:
	MOVLQSX (R10), AX
	ADDQ $4, R10
	IMULQ channels+64(FP), AX
	MOVQ channels+64(FP), R11
	MOVQ groups+56(FP), BX
	VMOVDQA Y13, Y0
	VMOVDQA Y13, Y2
	VPXOR Y1, Y1, Y1
	VPXOR Y3, Y3, Y3

group:
	VMOVDQU (SI)(AX*1), X4
	VINSERTI128 $1, (R9)(AX*1), Y4, Y4
	VMOVDQU (R13)(AX*1), X5
	VINSERTI128 $1, (R12)(AX*1), Y5, Y5
	VPBROADCASTD (DX), Y8
	VPBROADCASTD 4(DX), Y9
	VPBROADCASTD 8(DX), Y10
	VPBROADCASTD 12(DX), Y11
	VPSHUFB Y14, Y4, Y6
	VPSHUFB Y15, Y4, Y4
	VPMADDWD Y8, Y6, Y12
	VPADDD Y12, Y0, Y0
	VPMADDWD Y9, Y6, Y6
	VPADDD Y6, Y1, Y1
	VPMADDWD Y10, Y4, Y12
	VPADDD Y12, Y0, Y0
	VPMADDWD Y11, Y4, Y4
	VPADDD Y4, Y1, Y1
	VPSHUFB Y14, Y5, Y7
	VPSHUFB Y15, Y5, Y5
	VPMADDWD Y8, Y7, Y12
	VPADDD Y12, Y2, Y2
	VPMADDWD Y9, Y7, Y7
	VPADDD Y7, Y3, Y3
	VPMADDWD Y10, Y5, Y12
	VPADDD Y12, Y2, Y2
	VPMADDWD Y11, Y5, Y5
	VPADDD Y5, Y3, Y3
	LEAQ (AX)(R11*4), AX
	ADDQ $16, DX
	DECQ BX
	JNZ group

	VPSLLD $12, Y1, Y1
	VPSLLD $12, Y3, Y3
	VPADDD Y1, Y0, Y0
	VPADDD Y3, Y2, Y2
	VPSRAD $22, Y0, Y0
	VPSRAD $22, Y2, Y2
	VPACKSSDW Y2, Y0, Y0
	VPACKUSWB Y0, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	LEAQ (DI)(R8*2), AX
	CMPQ CX, $1
	JEQ last

whole: // four bytes, of which the next pixel overwrites the fourth of three
	VMOVD X0, (DI)
	VMOVD X1, (DI)(R8*1)
	VPEXTRD $1, X0, (AX)
	VPEXTRD $1, X1, (AX)(R8*1)
	ADDQ R11, DI
	DECQ CX
	JNZ pixel
	VZEROUPPER
	RET

last:
	CMPQ R11, $4
	JEQ whole
	VPEXTRW $0, X0, (DI)
	VPEXTRB $2, X0, 2(DI)
	VPEXTRW $0, X1, (DI)(R8*1)
	VPEXTRB $2, X1, 2(DI)(R8*1)
	VPEXTRW $2, X0, (AX)
	VPEXTRB $6, X0, 2(AX)
	VPEXTRW $2, X1, (AX)(R8*1)
	VPEXTRB $6, X1, 2(AX)(R8*1)
	VZEROUPPER
	RET

// func columns1AVX2(dst *byte, dstStride int, src *byte, srcStride int, first *int32, pairs *int16, n, groups int)
//
// Four rows at once: Y0 sums rows 0 and 1, Y1 rows 2 and 3, with the low and the high
// parts of two pixels next to each other.
TEXT ·columns1AVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ dstStride+8(FP), R8
	MOVQ src+16(FP), SI
	MOVQ srcStride+24(FP), R9
	MOVQ first+32(FP), R10
	MOVQ pairs+40(FP), DX
	MOVQ n+48(FP), CX
	MOVQ groups+56(FP), R11
	LEAQ (SI)(R9*2), R13
	LEAQ (R13)(R9*1), R12
	ADDQ SI, R9
	VPBROADCASTD half<>(SB), Y13
	VBROADCASTI128 pixels1<>(SB), Y14

pixel:
	MOVLQSX (R10), AX
	ADDQ $4, R10
	MOVQ R11, BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

group:
	VPBROADCASTD (SI)(AX*1), Y4
	VPBROADCASTD (R9)(AX*1), Y5
	VPBROADCASTD (R13)(AX*1), Y6
	VPBROADCASTD (R12)(AX*1), Y7
	VBROADCASTI128 (DX), Y8
	VPBLENDD $0xf0, Y5, Y4, Y4
	VPBLENDD $0xf0, Y7, Y6, Y6
	VPSHUFB Y14, Y4, Y4
	VPSHUFB Y14, Y6, Y6
	VPMADDWD Y8, Y4, Y4
	VPMADDWD Y8, Y6, Y6
	VPADDD Y4, Y0, Y0
	VPADDD Y6, Y1, Y1
	ADDQ $4, AX
	ADDQ $16, DX
	DECQ BX
	JNZ group

	VPUNPCKLQDQ Y1, Y0, Y2
	VPUNPCKHQDQ Y1, Y0, Y3
	VPADDD Y3, Y2, Y2
	VPSRLQ $32, Y2, Y3
	VPSLLD $12, Y3, Y3
	VPADDD Y3, Y2, Y2
	VPADDD Y13, Y2, Y2
	VPSRAD $22, Y2, Y2
	VPACKSSDW Y2, Y2, Y2
	VPACKUSWB Y2, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	LEAQ (DI)(R8*2), AX
	VPEXTRB $0, X2, (DI)
	VPEXTRB $0, X3, (DI)(R8*1)
	VPEXTRB $2, X2, (AX)
	VPEXTRB $2, X3, (AX)(R8*1)
	INCQ DI
	DECQ CX
	JNZ pixel
	VZEROUPPER
	RET

// SUM adds the samples of two rows, interleaved as words, times their weights.
#define SUM(words, low, high) \
	VPMADDWD Y14, words, Y12 \
	VPADDD Y12, low, low \
	VPMADDWD Y15, words, words \
	VPADDD words, high, high

// func rowAVX2(dst, src *byte, stride, n int, pairs *int16, count int)
//
// Two rows of 32 samples at once. Y0 to Y3 sum the low parts, Y4 to Y7 the high
// parts. The last 32 of n overlap the 32 before.
TEXT ·rowAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), R8
	MOVQ n+24(FP), CX
	MOVQ count+40(FP), R9
	VPXOR Y13, Y13, Y13
	XORQ R10, R10 // the column

block:
	LEAQ (SI)(R10*1), R11
	MOVQ pairs+32(FP), DX
	MOVQ R9, BX
	VPBROADCASTD half<>(SB), Y0
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

pair:
	MOVQ R11, R12 // an odd last row goes with itself, weight 0
	CMPQ BX, $1
	JEQ rows
	ADDQ R8, R12

rows:
	VMOVDQU (R11), Y8
	VMOVDQU (R12), Y9
	VPBROADCASTD (DX), Y14
	VPBROADCASTD 4(DX), Y15
	VPUNPCKLBW Y9, Y8, Y10
	VPUNPCKHBW Y9, Y8, Y11
	VPUNPCKLBW Y13, Y10, Y8
	VPUNPCKHBW Y13, Y10, Y9
	VPUNPCKLBW Y13, Y11, Y10
	VPUNPCKHBW Y13, Y11, Y11
	SUM(Y8, Y0, Y4)
	SUM(Y9, Y1, Y5)
	SUM(Y10, Y2, Y6)
	SUM(Y11, Y3, Y7)
	ADDQ $8, DX
	LEAQ (R12)(R8*1), R11
	SUBQ $2, BX
	JGT pair

	VPSLLD $12, Y4, Y4
	VPSLLD $12, Y5, Y5
	VPSLLD $12, Y6, Y6
	VPSLLD $12, Y7, Y7
	VPADDD Y4, Y0, Y0
	VPADDD Y5, Y1, Y1
	VPADDD Y6, Y2, Y2
	VPADDD Y7, Y3, Y3
	VPSRAD $22, Y0, Y0
	VPSRAD $22, Y1, Y1
	VPSRAD $22, Y2, Y2
	VPSRAD $22, Y3, Y3
	VPACKSSDW Y1, Y0, Y0
	VPACKSSDW Y3, Y2, Y2
	VPACKUSWB Y2, Y0, Y0
	VMOVDQU Y0, (DI)(R10*1)
	ADDQ $32, R10
	CMPQ R10, CX
	JGE done
	LEAQ 32(R10), AX
	CMPQ AX, CX
	JLE block
	LEAQ -32(CX), R10
	JMP block

done:
	VZEROUPPER
	RET
