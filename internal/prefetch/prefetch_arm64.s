#include "textflag.h"

// func Lines(b []byte, n int)
TEXT ·Lines(SB), NOSPLIT, $0-32
	MOVD b_base+0(FP), R0
	MOVD n+24(FP), R1
	CMP  $0, R1
	BLE  done

next:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	SUBS $1, R1
	BNE  next

done:
	RET
