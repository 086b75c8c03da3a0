package bytemask

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/guardtest"
	"tfr-build/internal/testenv"
)

// A way is one implementation of the package.
type way struct {
	name    string
	stretch func(dst []Block, b []byte, delim byte) Seen
	line    func(dst []Block, b []byte, delim byte) int
}

// naive computes the results of Stretch and Line byte by byte.
func naive(b []byte, delim byte) (blocks []Block, seen Seen, line int) {
	blocks = make([]Block, len(b)/Size)
	line = len(blocks)
	for i, c := range b {
		m, bit := &blocks[i/Size], uint64(1)<<(i%Size)
		switch c {
		case '\n':
			m.LF |= bit
			line = min(line, i/Size+1)
		case '"':
			m.Quote |= bit
		case '\r':
			m.CR |= bit
			seen |= CR
		case 0:
			seen |= NUL
		}
		if c == delim {
			m.Delim |= bit
		}
		if c > 0x7f {
			seen |= NonASCII
		}
	}
	return blocks, seen, line
}

// check compares an implementation with naive. The rest of dst must not change.
func check(t testing.TB, w way, b []byte, delim byte) {
	t.Helper()
	want, wantSeen, wantLine := naive(b, delim)
	other := Block{1, 2, 3, 4}
	dst := slices.Repeat([]Block{other}, len(want)+1)
	if seen := w.stretch(dst[:len(want)], b, delim); seen != wantSeen || !slices.Equal(dst[:len(want)], want) ||
		dst[len(want)] != other {
		t.Fatalf("%s: stretch of %q: %v, %x; want %v, %x", w.name, b, seen, dst, wantSeen, want)
	}
	dst = slices.Repeat([]Block{other}, len(want)+1)
	n := w.line(dst[:len(want)], b, delim)
	if n != wantLine || !slices.Equal(dst[:n], want[:n]) || dst[n] != other {
		t.Fatalf("%s: line of %q: %d, %x; want %d, %x", w.name, b, n, dst, wantLine, want)
	}
}

func TestEachByteAtEachOffset(t *testing.T) {
	for _, w := range ways() {
		b := guardtest.New(t, 2*Size).Last(2 * Size)
		for i := range b {
			for c := range 256 {
				for k := range b {
					b[k] = 'a'
				}
				b[i] = byte(c)
				check(t, w, b, ';')
				if c == 'z' {
					check(t, w, b, 'z')
				}
			}
		}
	}
}

func TestRandomStrings(t *testing.T) {
	const alphabet = "\n\"\r,;ab\x00\x7f\x80\x8a\x8d\xa2\xac\xff"
	r := rand.New(rand.NewPCG(1, 7))
	b := guardtest.New(t, 9*Size).Last(9 * Size)
	for range testenv.Times(2_000, 100_000, 1_000_000) {
		text := b[len(b)-(1+r.IntN(9))*Size:]
		rare := r.IntN(200)
		for i := range text {
			text[i] = 'x'
			if r.IntN(200) >= rare {
				text[i] = alphabet[r.IntN(len(alphabet))]
			}
		}
		for _, w := range ways() {
			check(t, w, text, alphabet[r.IntN(len(alphabet))])
		}
	}
}

// The exported functions are one of the implementations, and accept empty slices.
func TestEnds(t *testing.T) {
	if seen := Stretch(nil, nil, ','); seen != 0 {
		t.Error(seen)
	}
	dst := make([]Block, 2)
	for _, c := range []struct{ room, bytes, want int }{{2, 63, 0}, {0, 64, 0}, {2, 64, 1}, {2, 300, 2}, {1, 300, 1}} {
		if n := Line(dst[:c.room], make([]byte, c.bytes), ','); n != c.want {
			t.Errorf("%+v: %d", c, n)
		}
	}
	check(t, way{"exported", Stretch, Line}, []byte("ab,\"\n\r\x00\xff"+string(make([]byte, 120))), ',')
}

func TestOddParity(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	for range 10_000 {
		mask, want, odd := r.Uint64()&r.Uint64()&r.Uint64(), uint64(0), uint64(0)
		for i := range 64 {
			odd ^= mask >> i & 1
			want |= odd << i
		}
		if got := Odd(mask); got != want {
			t.Fatalf("%064b: %064b, want %064b", mask, got, want)
		}
	}
}

func FuzzWays(f *testing.F) {
	f.Add([]byte("7,\"so\"\r\n8,\x00\xc3\xa4\n"), byte(','))
	f.Add([]byte("\n"), byte('\n'))
	f.Fuzz(func(t *testing.T, data []byte, delim byte) {
		text := make([]byte, (len(data)+Size-1)/Size*Size)
		if len(text) == 0 {
			return
		}
		copy(text, data)
		for _, w := range ways() {
			check(t, w, text, delim)
		}
	})
}

func BenchmarkStretch(b *testing.B) {
	text := make([]byte, 16<<10)
	dst := make([]Block, len(text)/Size)
	for _, w := range ways() {
		b.Run(w.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				w.stretch(dst, text, ',')
			}
		})
	}
}

func BenchmarkLine(b *testing.B) {
	text := make([]byte, 2*Size)
	text[90] = '\n'
	dst := make([]Block, 2)
	for _, w := range ways() {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				w.line(dst, text, ',')
			}
		})
	}
}
