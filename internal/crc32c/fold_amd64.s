#include "textflag.h"

// Offsets of the fields of a foldTable.
#define ON512 0
#define ON1024 16
#define ON1536 32
#define ON2048 48
#define LAST4 64

// func fold(crc uint32, b []byte, t *foldTable) uint32
//
// It uses only the upper registers, so VZEROUPPER is not necessary.
TEXT ·fold(SB), NOSPLIT, $0-44
	MOVL crc+0(FP), AX
	MOVQ b_base+8(FP), SI
	MOVQ b_len+16(FP), BX
	MOVQ t+32(FP), DI

	// Add the first BX modulo 4 bytes to the CRC; the rest are words of 4 bytes. This needs no
	// branch: the CRC of a word that begins with zeros is that of the bytes after the zeros.
	MOVL   (SI), R8
	XORL   AX, R8
	MOVL   BX, R9
	ANDL   $3, R9
	ADDQ   R9, SI
	LEAL   (R9*8), CX
	SHRL   CX, AX
	NEGL   CX
	ADDL   $32, CX
	SHLQ   CX, R8
	XORL   R9, R9
	CRC32L R8, R9
	XORL   R9, AX
	SHRQ   $2, BX

	// Split BX words into DX first words, 1 to 16, and BX times 16 words. CX is 16-DX.
	VMOVDQU64 (SI), Z16
	LEAQ -1(BX), DX
	ANDQ $15, DX
	INCQ DX
	SUBQ DX, BX
	SHRQ $4, BX
	LEAQ (SI)(DX*4), SI
	MOVL $16, CX
	SUBL DX, CX

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
	XORL          DX, DX
	CRC32Q        AX, DX
	CRC32Q        CX, DX
	MOVL          DX, ret+40(FP)
	RET
