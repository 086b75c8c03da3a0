#include "textflag.h"

// Offsets of the fields of a foldTable.
#define ON512 0
#define ON1024 16
#define ON1536 32
#define ON2048 48
#define ON256 64
#define ON768 80
#define LAST4 96
#define LAST2 (LAST4+32)
#define FROM 160
#define AT 224
#define NUMBERS 288

// SHORTEN adds the first BX modulo 4 of the BX bytes at SI to the CRC in AX. The rest are
// words of 4 bytes. It needs no branch: the CRC of a word that begins with zeros is that of
// the bytes after the zeros. It uses CX, R8, and R9.
#define SHORTEN \
	MOVL   (SI), R8   \
	XORL   AX, R8     \
	MOVL   BX, R9     \
	ANDL   $3, R9     \
	ADDQ   R9, SI     \
	LEAL   (R9*8), CX \
	SHRL   CX, AX     \
	NEGL   CX         \
	ADDL   $32, CX    \
	SHLQ   CX, R8     \
	XORL   R9, R9     \
	CRC32L R8, R9     \
	XORL   R9, AX     \
	SHRQ   $2, BX

// FIRST splits BX words into DX first words, 1 to n, and BX times n words, where n is 1<<log.
// It moves SI behind the first words, and sets CX to n-DX.
#define FIRST(n, log) \
	LEAQ -1(BX), DX     \
	ANDQ $(n-1), DX     \
	INCQ DX             \
	SUBQ DX, BX         \
	SHRQ $log, BX       \
	LEAQ (SI)(DX*4), SI \
	MOVL $n, CX         \
	SUBL DX, CX

// SUM computes the CRC of the 16 bytes in AX and CX to DX.
#define SUM \
	XORL   DX, DX \
	CRC32Q AX, DX \
	CRC32Q CX, DX

// func fold512(crc uint32, b []byte, t *foldTable) uint32
//
// It uses only the upper registers, so VZEROUPPER is not necessary.
TEXT ·fold512(SB), NOSPLIT, $0-44
	MOVL crc+0(FP), AX
	MOVQ b_base+8(FP), SI
	MOVQ b_len+16(FP), BX
	MOVQ t+32(FP), DI
	SHORTEN
	VMOVDQU64 (SI), Z16
	FIRST(16, 4)

	// the first words after zeros, with the CRC added to the first word
	MOVL  $0xffff, R8
	SHLL  CX, R8
	KMOVW R8, K1
	MOVL  $1, R9
	SHLL  CX, R9
	KMOVW R9, K2
	VPEXPANDD.Z     Z16, K1, Z16
	VPBROADCASTD.Z  AX, K2, Z17
	VPXORQ          Z17, Z16, Z16
	VBROADCASTI32X4 ON512(DI), Z24
	CMPQ BX, $7
	JLT  few

	VBROADCASTI32X4 ON2048(DI), Z25
	VMOVDQU64 (SI), Z17
	VMOVDQU64 64(SI), Z18
	VMOVDQU64 128(SI), Z19
	ADDQ $192, SI
	SUBQ $3, BX

four:
	VPCLMULQDQ $0x00, Z25, Z16, Z20
	VPCLMULQDQ $0x00, Z25, Z17, Z21
	VPCLMULQDQ $0x00, Z25, Z18, Z22
	VPCLMULQDQ $0x00, Z25, Z19, Z23
	VPCLMULQDQ $0x11, Z25, Z16, Z16
	VPCLMULQDQ $0x11, Z25, Z17, Z17
	VPCLMULQDQ $0x11, Z25, Z18, Z18
	VPCLMULQDQ $0x11, Z25, Z19, Z19
	VPTERNLOGQ $0x96, (SI), Z20, Z16
	VPTERNLOGQ $0x96, 64(SI), Z21, Z17
	VPTERNLOGQ $0x96, 128(SI), Z22, Z18
	VPTERNLOGQ $0x96, 192(SI), Z23, Z19
	ADDQ $256, SI
	SUBQ $4, BX
	CMPQ BX, $4
	JGE  four

	// combine four registers into one
	VBROADCASTI32X4 ON1536(DI), Z26
	VBROADCASTI32X4 ON1024(DI), Z27
	VPCLMULQDQ $0x00, Z26, Z16, Z20
	VPCLMULQDQ $0x11, Z26, Z16, Z16
	VPCLMULQDQ $0x00, Z27, Z17, Z21
	VPCLMULQDQ $0x11, Z27, Z17, Z17
	VPCLMULQDQ $0x00, Z24, Z18, Z22
	VPCLMULQDQ $0x11, Z24, Z18, Z18
	VPTERNLOGQ $0x96, Z20, Z21, Z16
	VPTERNLOGQ $0x96, Z17, Z22, Z18
	VPTERNLOGQ $0x96, Z18, Z19, Z16

few:
	TESTQ BX, BX
	JZ    reduce

one:
	VPCLMULQDQ $0x00, Z24, Z16, Z20
	VPCLMULQDQ $0x11, Z24, Z16, Z16
	VPTERNLOGQ $0x96, (SI), Z20, Z16
	ADDQ $64, SI
	DECQ BX
	JNZ  one

reduce:
	VMOVDQU64     LAST4(DI), Z28
	VPCLMULQDQ    $0x00, Z28, Z16, Z20
	VPCLMULQDQ    $0x11, Z28, Z16, Z21
	VEXTRACTI32X4 $3, Z16, X16
	VPXORQ        Z20, Z21, Z20
	VEXTRACTI64X4 $1, Z20, Y21
	VPXORQ        Y20, Y21, Y20
	VEXTRACTI32X4 $1, Y20, X21
	VPTERNLOGQ    $0x96, X20, X21, X16
	VMOVQ         X16, AX
	VPEXTRQ       $1, X16, CX
	SUM
	MOVL          DX, ret+40(FP)
	RET

// func fold256(crc uint32, b []byte, t *foldTable) uint32
TEXT ·fold256(SB), NOSPLIT, $0-44
	MOVL crc+0(FP), AX
	MOVQ b_base+8(FP), SI
	MOVQ b_len+16(FP), BX
	MOVQ t+32(FP), DI
	SHORTEN
	VMOVDQU (SI), Y0
	FIRST(8, 3)

	// the first words after zeros, with the CRC added to the first word
	NEGQ         CX
	VMOVDQU      (NUMBERS+32)(DI)(CX*4), Y8
	VPERMD       Y0, Y8, Y0
	VPAND        (FROM+32)(DI)(CX*4), Y0, Y0
	VMOVD        AX, X9
	VPBROADCASTD X9, Y9
	VPAND        (AT+32)(DI)(CX*4), Y9, Y9
	VPXOR        Y9, Y0, Y0
	VBROADCASTI128 ON256(DI), Y10
	CMPQ BX, $7
	JLT  few

	VBROADCASTI128 ON1024(DI), Y11
	VMOVDQU (SI), Y1
	VMOVDQU 32(SI), Y2
	VMOVDQU 64(SI), Y3
	ADDQ $96, SI
	SUBQ $3, BX

four:
	VPCLMULQDQ $0x00, Y11, Y0, Y4
	VPCLMULQDQ $0x00, Y11, Y1, Y5
	VPCLMULQDQ $0x00, Y11, Y2, Y6
	VPCLMULQDQ $0x00, Y11, Y3, Y7
	VPCLMULQDQ $0x11, Y11, Y0, Y0
	VPCLMULQDQ $0x11, Y11, Y1, Y1
	VPCLMULQDQ $0x11, Y11, Y2, Y2
	VPCLMULQDQ $0x11, Y11, Y3, Y3
	VPXOR (SI), Y4, Y4
	VPXOR 32(SI), Y5, Y5
	VPXOR 64(SI), Y6, Y6
	VPXOR 96(SI), Y7, Y7
	VPXOR Y4, Y0, Y0
	VPXOR Y5, Y1, Y1
	VPXOR Y6, Y2, Y2
	VPXOR Y7, Y3, Y3
	SUBQ $-128, SI
	SUBQ $4, BX
	CMPQ BX, $4
	JGE  four

	// combine four registers into one
	VBROADCASTI128 ON768(DI), Y12
	VBROADCASTI128 ON512(DI), Y13
	VPCLMULQDQ $0x00, Y12, Y0, Y4
	VPCLMULQDQ $0x11, Y12, Y0, Y0
	VPCLMULQDQ $0x00, Y13, Y1, Y5
	VPCLMULQDQ $0x11, Y13, Y1, Y1
	VPCLMULQDQ $0x00, Y10, Y2, Y6
	VPCLMULQDQ $0x11, Y10, Y2, Y2
	VPXOR Y4, Y0, Y0
	VPXOR Y5, Y1, Y1
	VPXOR Y6, Y2, Y2
	VPXOR Y1, Y0, Y0
	VPXOR Y2, Y3, Y3
	VPXOR Y3, Y0, Y0

few:
	TESTQ BX, BX
	JZ    reduce

one:
	VPCLMULQDQ $0x00, Y10, Y0, Y4
	VPCLMULQDQ $0x11, Y10, Y0, Y0
	VPXOR (SI), Y4, Y4
	VPXOR Y4, Y0, Y0
	ADDQ $32, SI
	DECQ BX
	JNZ  one

reduce:
	VEXTRACTI128 $1, Y0, X1
	VMOVDQU      LAST2(DI), X12
	VPCLMULQDQ   $0x00, X12, X0, X4
	VPCLMULQDQ   $0x11, X12, X0, X0
	VPXOR        X4, X0, X0
	VPXOR        X1, X0, X0
	VMOVQ        X0, AX
	VPEXTRQ      $1, X0, CX
	VZEROUPPER
	SUM
	MOVL         DX, ret+40(FP)
	RET

// func leaf7() uint32
TEXT ·leaf7(SB), NOSPLIT, $0-4
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL CX, ret+0(FP)
	RET
