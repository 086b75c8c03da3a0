package crc32c

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

func processorWays() []way {
	has := func(p path) bool { return choose() >= p }
	return []way{
		{"three", 24, longestThree, func(crc uint32, b []byte) uint32 { return ^three(^crc, b) }, !has(byThree)},
		{"fold256", shortestFold, 1 << 30, func(crc uint32, b []byte) uint32 { return ^fold256(^crc, b, &folds) }, !has(byFold256)},
		{"fold512", shortestFold, 1 << 30, func(crc uint32, b []byte) uint32 { return ^fold512(^crc, b, &folds) }, !has(byFold512)},
	}
}

// asked is the variable by which TestSwitches requests the path of this test in another process.
const asked = "CRC32C_PATH"

// TestSwitches switches instruction sets off with GODEBUG, and checks that the path changes.
func TestSwitches(t *testing.T) {
	if os.Getenv(asked) != "" {
		fmt.Printf("path=%d\n", best)
		return
	}
	if best == byFold512 && !cpu.X86.HasAVX2 {
		t.Error("a processor with AVX-512 and without AVX2")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for off, most := range map[string]path{
		"":                      byFold512,
		"avx512f":               byFold256,
		"avx512dq":              byFold256,
		"avx512vl":              byFold256,
		"avx512vpclmulqdq":      byFold256,
		"avx512vpclmulqdq avx2": byThree,
		"avx512f avx2":          byThree,
		"pclmulqdq":             byTable,
		"sse42":                 byTable,
		"all":                   byTable,
	} {
		c := exec.Command(self, "-test.run=^TestSwitches$", "-test.v")
		debug := ""
		for _, name := range strings.Fields(off) {
			debug += "cpu." + name + "=off,"
		}
		c.Env = append(os.Environ(), "GODEBUG="+debug, asked+"=1")
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", off, err, out)
		}
		if want := fmt.Sprintf("path=%d\n", min(best, most)); !strings.Contains(string(out), want) {
			t.Errorf("without %s: want %sgot\n%s", off, want, out)
		}
	}
}
