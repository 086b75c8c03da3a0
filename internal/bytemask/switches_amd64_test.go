package bytemask

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// askedVar is the variable by which TestSwitches requests the implementation in another process.
const askedVar = "BYTEMASK_WAY"

// TestSwitches switches AVX2 off with GODEBUG, and checks that it is not used.
func TestSwitches(t *testing.T) {
	if os.Getenv(askedVar) != "" {
		fmt.Printf("AVX2 %t\n", hasAVX2)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, debug := range []string{"cpu.avx2=off", "cpu.all=off"} {
		cmd := exec.Command(self, "-test.run=^TestSwitches$", "-test.v")
		cmd.Env = append(os.Environ(), "GODEBUG="+debug, askedVar+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", debug, err, out)
		}
		if !strings.Contains(string(out), "AVX2 false\n") {
			t.Errorf("%s:\n%s", debug, out)
		}
	}
}
