#include "textflag.h"

// func sum3(crc uint32, b []byte, words int, a2, b1 uint64) uint32
TEXT ·sum3(SB), NOSPLIT, $0-60
	MOVQ b_base+8(FP), SI
	MOVQ b_len+16(FP), DX
	MOVQ words+32(FP), CX

	// DI, R8: start of B and C; DX: number of bytes after C
	LEAQ (SI)(CX*8), DI
	LEAQ (DI)(CX*8), R8
	LEAQ (CX)(CX*2), R9
	SHLQ $3, R9
	SUBQ R9, DX

	MOVL crc+0(FP), AX   // the CRC of A
	XORL BX, BX          // of B
	XORL R10, R10        // of C
	DECQ CX              // the last words are added after the loop
	JZ   last

words:
	CRC32Q (SI), AX
	CRC32Q (DI), BX
	CRC32Q (R8), R10
	ADDQ   $8, SI
	ADDQ   $8, DI
	ADDQ   $8, R8
	DECQ   CX
	JNZ    words

last:
	CRC32Q (SI), AX
	CRC32Q (DI), BX
	MOVQ   AX, X0
	MOVQ   BX, X1
	MOVQ   a2+40(FP), X2
	MOVQ   b1+48(FP), X3
	PCLMULQDQ $0, X2, X0
	PCLMULQDQ $0, X3, X1
	PXOR   X1, X0
	MOVQ   X0, R11
	XORQ   (R8), R11
	CRC32Q R11, R10
	ADDQ   $8, R8

	CMPQ DX, $16
	JLT  eight
	CRC32Q (R8), R10
	ADDQ $8, R8
	SUBQ $8, DX

eight:
	CMPQ DX, $8
	JLT  four
	CRC32Q (R8), R10
	ADDQ $8, R8
	SUBQ $8, DX

four:
	TESTQ $4, DX
	JZ    two
	CRC32L (R8), R10
	ADDQ  $4, R8

two:
	TESTQ $2, DX
	JZ    one
	CRC32W (R8), R10
	ADDQ  $2, R8

one:
	TESTQ $1, DX
	JZ    done
	CRC32B (R8), R10

done:
	MOVL R10, ret+56(FP)
	RET
