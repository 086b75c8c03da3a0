package crc32c

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func processorWays() []way {
	update := func(crc uint32, b []byte) uint32 { return ^fold(^crc, b, &folds) }
	return []way{{"fold", shortestFold, 1 << 30, update, !canFold}}
}

// asked is the variable by which TestSwitches requests canFold from this test in another process.
const asked = "CRC32C_FOLDS"

// TestSwitches switches instruction sets off with GODEBUG, and checks canFold.
func TestSwitches(t *testing.T) {
	if os.Getenv(asked) != "" {
		fmt.Printf("folds=%v\n", canFold)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []string{"", "avx512f", "avx512dq", "avx512vl", "avx512vpclmulqdq", "sse42", "all"} {
		c := exec.Command(self, "-test.run=^TestSwitches$", "-test.v")
		debug := ""
		if off != "" {
			debug = "cpu." + off + "=off"
		}
		c.Env = append(os.Environ(), "GODEBUG="+debug, asked+"=1")
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", off, err, out)
		}
		if want := fmt.Sprintf("folds=%v\n", canFold && off == ""); !strings.Contains(string(out), want) {
			t.Errorf("without %s: want %sgot\n%s", off, want, out)
		}
	}
}
