package bytemask

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// askedVar has TestSwitches, in a process that it starts, say which way is taken.
const askedVar = "BYTEMASK_WAY"

// TestSwitches switches instruction sets off, as GODEBUG does, and sees that what
// needs them is not asked.
func TestSwitches(t *testing.T) {
	if os.Getenv(askedVar) != "" {
		fmt.Printf("AVX-512 %t, AVX2 %t\n", hasAVX512, hasAVX2)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		off              string
		with512, with256 bool
	}{
		{"", true, true},
		{"avx512f", false, true},
		{"avx512bw", false, true},
		{"avx2", true, false},
		{"avx512f avx2", false, false},
		{"all", false, false},
	} {
		debug := ""
		for name := range strings.FieldsSeq(c.off) {
			debug += "cpu." + name + "=off,"
		}
		cmd := exec.Command(self, "-test.run=^TestSwitches$", "-test.v")
		cmd.Env = append(os.Environ(), "GODEBUG="+debug, askedVar+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("without %s: %v\n%s", c.off, err, out)
		}
		want := fmt.Sprintf("AVX-512 %t, AVX2 %t\n", c.with512 && hasAVX512, c.with256 && hasAVX2)
		if !strings.Contains(string(out), want) {
			t.Errorf("without %s: want %sgot\n%s", c.off, want, out)
		}
	}
}
