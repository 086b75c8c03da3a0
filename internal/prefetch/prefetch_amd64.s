#include "textflag.h"

// func Lines(b []byte, n int)
TEXT ·Lines(SB), NOSPLIT, $0-32
	MOVQ b_base+0(FP), AX
	MOVQ n+24(FP), CX
	TESTQ CX, CX
	JLE  done

next:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	DECQ CX
	JNZ  next

done:
	RET
