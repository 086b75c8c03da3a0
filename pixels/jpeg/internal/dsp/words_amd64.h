// The constants of the assembly. Each is repeated to fill a register of 32 bytes.

#define CONSTANT(name) GLOBL name<>(SB), RODATA|NOPTR, $32

// LONGS defines a constant of four bytes.
#define LONGS(name, v) \
	DATA name<>+0(SB)/4, $(v)  \
	DATA name<>+4(SB)/4, $(v)  \
	DATA name<>+8(SB)/4, $(v)  \
	DATA name<>+12(SB)/4, $(v) \
	DATA name<>+16(SB)/4, $(v) \
	DATA name<>+20(SB)/4, $(v) \
	DATA name<>+24(SB)/4, $(v) \
	DATA name<>+28(SB)/4, $(v) \
	CONSTANT(name)

// PAIRS defines a constant of two words, for VPMADDWD.
#define PAIRS(name, a, b) LONGS(name, (a)&0xffff | (b)<<16)

// WORDS defines a constant of two bytes.
#define WORDS(name, v) PAIRS(name, v, v)

// BYTES defines two constants of one byte each, for VPMADDUBSW.
#define BYTES(name, a, b) WORDS(name, (a)&0xff | ((b)&0xff)<<8)

// LANES defines the same sixteen bytes for both halves.
#define LANES(name, a, b) \
	DATA name<>+0(SB)/8, $(a)  \
	DATA name<>+8(SB)/8, $(b)  \
	DATA name<>+16(SB)/8, $(a) \
	DATA name<>+24(SB)/8, $(b) \
	CONSTANT(name)

// ROWS begins a loop over a row of CX samples, at least 32. BX is the current index.
// NEXT continues with the next 32 samples; the last 32 may overlap those before.
#define ROWS \
	LEAQ -32(CX), R8 \
	XORQ BX, BX

#define NEXT(loop) \
	CMPQ    BX, R8 \
	JEQ     done   \
	ADDQ    $32, BX \
	CMPQ    BX, R8 \
	CMOVQGT R8, BX \
	JMP     loop
