package policy

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestOtherModule runs a program of another module that uses the packages which
// are for other programs. It needs what this module needs, and no network; after
// a change of go.mod, "go mod tidy" in its directory brings it up to date.
func TestOtherModule(t *testing.T) {
	output := goTool(t, "run", ".")
	for _, line := range []string{
		"the last record ends at byte 200 of 200\nthe ages add up to 23\n",
		"record 700 of 1000 is \"payload 700\"\n64 x 48 pixels in 3 channels differ by up to 1\n",
		"4 records, 0 damaged\n",
		"record 3 at byte 150, 34 bytes\n  age: float 1\n  kind: int64 1\n",
	} {
		if !strings.Contains(output, line) {
			t.Errorf("the program does not print %q, but\n%s", line, output)
		}
	}
	for pkg := range strings.FieldsSeq(goTool(t, "list", "-deps", ".")) {
		if strings.HasPrefix(pkg, module+"pipeline") || strings.HasPrefix(pkg, module+"sources") ||
			strings.HasPrefix(pkg, module+"sink") {
			t.Errorf("the program is made with %s", pkg)
		}
	}
}

// goTool runs the go command in the other module.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = "testdata/othermodule"
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off")
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return string(output)
}
