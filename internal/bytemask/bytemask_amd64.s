#include "textflag.h"

// A Block is 32 bytes: LF, Quote, Delim, CR. DI is where the next one goes, SI
// its 64 bytes, CX how many are to come.

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

// FLAGS makes Seen in AX: of the CRs in R8, the highest bits in R9, the zeros in R10.
#define FLAGS \
	XORL  AX, AX   \
	XORL  BX, BX   \
	XORL  DX, DX   \
	TESTQ R8, R8   \
	SETNE AX       \
	TESTQ R9, R9   \
	SETNE BX       \
	TESTQ R10, R10 \
	SETNE DX       \
	LEAL  (AX)(BX*2), AX \
	LEAL  (AX)(DX*4), AX

// WANTED512 puts what is looked for into Z1 to Z4, 64 times each.
#define WANTED512 \
	MOVL         $LF, AX              \
	VPBROADCASTB AX, Z1               \
	MOVL         $QUOTE, AX           \
	VPBROADCASTB AX, Z2               \
	MOVBLZX      delim+24(FP), AX     \
	VPBROADCASTB AX, Z3               \
	MOVL         $CR, AX              \
	VPBROADCASTB AX, Z4

// BLOCK512 makes a block; its bytes are in Z0, its LFs in K1, its CRs in K4.
#define BLOCK512 \
	VMOVDQU64 (SI), Z0    \
	VPCMPEQB  Z1, Z0, K1  \
	VPCMPEQB  Z2, Z0, K2  \
	VPCMPEQB  Z3, Z0, K3  \
	VPCMPEQB  Z4, Z0, K4  \
	KMOVQ     K1, (DI)    \
	KMOVQ     K2, 8(DI)   \
	KMOVQ     K3, 16(DI)  \
	KMOVQ     K4, 24(DI)

// func stretchAVX512(dst *Block, b *byte, n int, delim byte) Seen
TEXT ·stretchAVX512(SB), NOSPLIT, $0-33
	ARGUMENTS
	WANTED512
	KXORQ      K5, K5, K5
	VPXORQ     Z5, Z5, Z5        // all bytes, OR-ed
	VPTERNLOGD $0xff, Z6, Z6, Z6 // the least of all

blocks:
	BLOCK512
	KORQ    K4, K5, K5
	VPORQ   Z0, Z5, Z5
	VPMINUB Z0, Z6, Z6
	NEXT
	JNZ     blocks

	VPMOVB2M  Z5, K6
	VPTESTNMB Z6, Z6, K7
	KMOVQ     K5, R8
	KMOVQ     K6, R9
	KMOVQ     K7, R10
	VZEROUPPER
	FLAGS
	MOVB AX, ret+32(FP)
	RET

// func lineAVX512(dst *Block, b *byte, n int, delim byte) int
TEXT ·lineAVX512(SB), NOSPLIT, $0-40
	ARGUMENTS
	WANTED512

blocks:
	BLOCK512
	KMOVQ K1, R8
	NEXT
	JZ    done
	TESTQ R8, R8
	JZ    blocks

done:
	MOVQ n+16(FP), AX
	SUBQ CX, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET

// WANTED2 puts what is looked for into Y1 to Y4, 32 times each.
#define WANTED2 \
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

// MASK2 puts the mask of those bytes of Y0 and Y5 that are the wanted one into
// the register out.
#define MASK2(wanted, out) \
	VPCMPEQB  wanted, Y0, Y6 \
	VPCMPEQB  wanted, Y5, Y7 \
	VPMOVMSKB Y6, out        \
	VPMOVMSKB Y7, AX         \
	SHLQ      $32, AX        \
	ORQ       AX, out

// BLOCK2 makes a block; its bytes are in Y0 and Y5, its LFs in R11, its CRs in BX.
#define BLOCK2 \
	VMOVDQU (SI), Y0    \
	VMOVDQU 32(SI), Y5  \
	MASK2(Y1, R11)      \
	MASK2(Y2, R12)      \
	MASK2(Y3, R13)      \
	MASK2(Y4, BX)       \
	MOVQ    R11, (DI)   \
	MOVQ    R12, 8(DI)  \
	MOVQ    R13, 16(DI) \
	MOVQ    BX, 24(DI)

// func stretchAVX2(dst *Block, b *byte, n int, delim byte) Seen
TEXT ·stretchAVX2(SB), NOSPLIT, $0-33
	ARGUMENTS
	WANTED2
	XORL     R8, R8
	VPXOR    Y8, Y8, Y8 // all bytes, OR-ed
	VPCMPEQB Y9, Y9, Y9 // the least of all

blocks:
	BLOCK2
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
	FLAGS
	MOVB AX, ret+32(FP)
	RET

// func lineAVX2(dst *Block, b *byte, n int, delim byte) int
TEXT ·lineAVX2(SB), NOSPLIT, $0-40
	ARGUMENTS
	WANTED2

blocks:
	BLOCK2
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
