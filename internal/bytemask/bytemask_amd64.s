#include "textflag.h"

// A Block has 32 bytes: LF, Quote, Delim, CR. DI is the address of the next Block, SI that
// of its 64 bytes, and CX the number of remaining Blocks.

#define LF 10
#define CR 13
#define QUOTE 34

#define ARGUMENTS \
	MOVQ dst+0(FP), DI \
	MOVQ b+8(FP), SI   \
	MOVQ n+16(FP), CX

#define NEXT \
	ADDQ $32, DI \
	ADDQ $64, SI \
	DECQ CX

// WANTED fills each of Y1 to Y4 with 32 copies of a searched byte.
#define WANTED \
	MOVL         $LF, AX          \
	VMOVD        AX, X1           \
	MOVL         $QUOTE, AX       \
	VMOVD        AX, X2           \
	MOVBLZX      delim+24(FP), AX \
	VMOVD        AX, X3           \
	MOVL         $CR, AX          \
	VMOVD        AX, X4           \
	VPBROADCASTB X1, Y1           \
	VPBROADCASTB X2, Y2           \
	VPBROADCASTB X3, Y3           \
	VPBROADCASTB X4, Y4

// MASK sets the register out to the mask of the bytes in Y0 and Y5 that equal wanted.
#define MASK(wanted, out) \
	VPCMPEQB  wanted, Y0, Y6 \
	VPCMPEQB  wanted, Y5, Y7 \
	VPMOVMSKB Y6, out        \
	VPMOVMSKB Y7, AX         \
	SHLQ      $32, AX        \
	ORQ       AX, out

// BLOCK computes a Block. Its bytes are then in Y0 and Y5, its LFs in R11, its CRs in BX.
#define BLOCK \
	VMOVDQU (SI), Y0   \
	VMOVDQU 32(SI), Y5 \
	MASK(Y1, R11)      \
	MASK(Y2, R12)      \
	MASK(Y3, R13)      \
	MASK(Y4, BX)       \
	MOVQ    R11, (DI)  \
	MOVQ    R12, 8(DI) \
	MOVQ    R13, 16(DI) \
	MOVQ    BX, 24(DI)

// func stretchAVX2(dst *Block, b *byte, n int, delim byte) Seen
TEXT ·stretchAVX2(SB), NOSPLIT, $0-33
	ARGUMENTS
	WANTED
	XORL     R8, R8
	VPXOR    Y8, Y8, Y8 // OR of all bytes
	VPCMPEQB Y9, Y9, Y9 // minimum of all bytes

blocks:
	// Half a page ahead: the next bytes may be in another page, which the processor does
	// not prefetch on its own. A prefetch of an unmapped address has no effect.
	PREFETCHT0 2048(SI)
	BLOCK
	ORQ     BX, R8
	VPOR    Y0, Y5, Y6
	VPMINUB Y0, Y5, Y7
	VPOR    Y6, Y8, Y8
	VPMINUB Y7, Y9, Y9
	NEXT
	JNZ     blocks

	VPXOR     Y0, Y0, Y0
	VPCMPEQB  Y0, Y9, Y9
	VPMOVMSKB Y8, R9
	VPMOVMSKB Y9, R10
	VZEROUPPER

	// Seen: CRs, highest bits, zeros
	XORL  AX, AX
	XORL  BX, BX
	XORL  DX, DX
	TESTQ R8, R8
	SETNE AX
	TESTQ R9, R9
	SETNE BX
	TESTQ R10, R10
	SETNE DX
	LEAL  (AX)(BX*2), AX
	LEAL  (AX)(DX*4), AX
	MOVB  AX, ret+32(FP)
	RET

// func lineAVX2(dst *Block, b *byte, n int, delim byte) int
TEXT ·lineAVX2(SB), NOSPLIT, $0-40
	ARGUMENTS
	WANTED

blocks:
	BLOCK
	NEXT
	JZ    done
	TESTQ R11, R11
	JZ    blocks

done:
	MOVQ n+16(FP), AX
	SUBQ CX, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET
