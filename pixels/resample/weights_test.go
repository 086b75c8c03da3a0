package resample

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// sides are the widths and heights of the results.
var sides = []int{1, 28, 32, 48, 64, 96, 112, 128, 160, 192, 224, 227, 240, 256, 288, 299, 300, 320, 331, 336, 380, 384,
	400, 448, 480, 512, 600, 640, 768, 1024}

// TestWeights compares the integers of the tables with Pillow's. The exhaustive run covers all
// lengths up to 1,024, and some longer ones, to all usual sides.
func TestWeights(t *testing.T) {
	tftest.Python(t) // skips
	var text strings.Builder
	var curve []float64
	var tab table
	add := func(f Filter, from, to int) {
		if from != to {
			curve = tab.fill(tableKey{from, to, 0, to, method(f)}, curve)
			fmt.Fprintln(&text, f, from, to, tab.stride, tab.digest())
		}
	}
	random := rand.New(rand.NewPCG(9, 9))
	for f := Box; f <= Lanczos; f++ {
		for range testenv.Times(50, 200, 5000) {
			add(f, 1+random.IntN(800), 1+random.IntN(800))
			add(f, 1+random.IntN(8000), sides[random.IntN(len(sides))])
		}
	}
	if testenv.Exhaustive() {
		for from := testenv.First(0, 8); from < 1024; from += testenv.Times(8, 8, 1) {
			for _, to := range sides[1:] {
				add(Lanczos, 1+from, to)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "weights")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	tftest.Run(t, "testdata/weights.py", file)
}

// digest is that of all weights as weights.py sees them: row by row those of the
// samples that are a number of strides apart.
func (t *table) digest() string {
	all := make([]byte, 4*t.stride*t.to)
	for i := range t.to {
		for n, w := range t.weightsOf(i) {
			row := (int(t.first[i]) + n) % t.stride
			binary.LittleEndian.PutUint32(all[4*(row*t.to+i):], uint32(w))
		}
	}
	sum := sha256.Sum256(all)
	return fmt.Sprintf("%x", sum[:8])
}
