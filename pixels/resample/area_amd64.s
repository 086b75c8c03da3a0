#include "textflag.h"

// func shareColumnsAVX2(dst *float32, dstStride int, src *byte, srcStride int, first, count *int32, shares *float32, sharesStride, n, channels int)
//
// Four rows at once, two in each register, three or four channels each. Products
// and sums are rounded one after the other, as in Go.
TEXT ·shareColumnsAVX2(SB), NOSPLIT, $0-80
	MOVQ dst+0(FP), DI
	MOVQ src+16(FP), SI
	MOVQ srcStride+24(FP), R9
	MOVQ first+32(FP), R10
	MOVQ count+40(FP), R11
	MOVQ shares+48(FP), DX
	MOVQ n+64(FP), CX
	LEAQ (SI)(R9*2), R13
	LEAQ (R13)(R9*1), R12
	ADDQ SI, R9

pixel:
	MOVLQSX (R10), AX
	MOVLQSX (R11), BX
	ADDQ $4, R10
	ADDQ $4, R11
	IMULQ channels+72(FP), AX
	MOVQ DX, R8
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	TESTQ BX, BX
	JEQ store

share:
	VMOVD (SI)(AX*1), X2
	VPINSRD $1, (R9)(AX*1), X2, X2
	VMOVD (R13)(AX*1), X3
	VPINSRD $1, (R12)(AX*1), X3, X3
	VBROADCASTSS (R8), Y4
	VPMOVZXBD X2, Y2
	VPMOVZXBD X3, Y3
	VCVTDQ2PS Y2, Y2
	VCVTDQ2PS Y3, Y3
	VMULPS Y4, Y2, Y2
	VMULPS Y4, Y3, Y3
	VADDPS Y2, Y0, Y0
	VADDPS Y3, Y1, Y1
	ADDQ channels+72(FP), AX
	ADDQ $4, R8
	DECQ BX
	JNZ share

store: // four values, of which the next pixel overwrites the fourth of three
	MOVQ dstStride+8(FP), R8
	LEAQ (DI)(R8*8), AX
	VMOVUPS X0, (DI)
	VEXTRACTF128 $1, Y0, (DI)(R8*4)
	VMOVUPS X1, (AX)
	VEXTRACTF128 $1, Y1, (AX)(R8*4)
	MOVQ channels+72(FP), AX
	LEAQ (DI)(AX*4), DI
	MOVQ sharesStride+56(FP), AX
	LEAQ (DX)(AX*4), DX
	DECQ CX
	JNZ pixel
	VZEROUPPER
	RET

// func shareColumns1AVX2(dst *float32, dstStride int, src *byte, srcStride int, first, count *int32, shares *float32, sharesStride, n int)
//
// Four rows at once in one register, one channel.
TEXT ·shareColumns1AVX2(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ src+16(FP), SI
	MOVQ srcStride+24(FP), R9
	MOVQ first+32(FP), R10
	MOVQ count+40(FP), R11
	MOVQ shares+48(FP), DX
	MOVQ n+64(FP), CX
	LEAQ (SI)(R9*2), R13
	LEAQ (R13)(R9*1), R12
	ADDQ SI, R9

pixel:
	MOVLQSX (R10), AX
	MOVLQSX (R11), BX
	ADDQ $4, R10
	ADDQ $4, R11
	MOVQ DX, R8
	VXORPS X0, X0, X0
	VPXOR X2, X2, X2
	TESTQ BX, BX
	JEQ store

share:
	VPINSRB $0, (SI)(AX*1), X2, X2
	VPINSRB $4, (R9)(AX*1), X2, X2
	VPINSRB $8, (R13)(AX*1), X2, X2
	VPINSRB $12, (R12)(AX*1), X2, X2
	VBROADCASTSS (R8), X4
	VCVTDQ2PS X2, X3
	VMULPS X4, X3, X3
	VADDPS X3, X0, X0
	INCQ AX
	ADDQ $4, R8
	DECQ BX
	JNZ share

store:
	MOVQ dstStride+8(FP), R8
	LEAQ (DI)(R8*8), AX
	VMOVSS X0, (DI)
	VEXTRACTPS $1, X0, (DI)(R8*4)
	VEXTRACTPS $2, X0, (AX)
	VEXTRACTPS $3, X0, (AX)(R8*4)
	ADDQ $4, DI
	MOVQ sharesStride+56(FP), AX
	LEAQ (DX)(AX*4), DX
	DECQ CX
	JNZ pixel
	VZEROUPPER
	RET

// func addShareAVX2(sums, row *float32, n int, share float32)
//
// Processes eight at once; the last eight may extend beyond n.
TEXT ·addShareAVX2(SB), NOSPLIT, $0-28
	MOVQ sums+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS share+24(FP), Y2

eight:
	VMULPS (SI), Y2, Y0
	VADDPS (DI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JGT eight
	VZEROUPPER
	RET

// func bytesAVX2(dst *byte, sums *float32, n int)
//
// Processes eight at once; the last eight of n overlap the eight before.
TEXT ·bytesAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ sums+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

eight:
	VCVTPS2DQ (SI)(AX*4), Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKSSDW X1, X0, X0
	VPACKUSWB X0, X0, X0
	VMOVQ X0, (DI)(AX*1)
	ADDQ $8, AX
	CMPQ AX, CX
	JGE done
	LEAQ 8(AX), DX
	CMPQ DX, CX
	JLE eight
	LEAQ -8(CX), AX
	JMP eight

done:
	VZEROUPPER
	RET
