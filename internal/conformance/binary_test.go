package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binary is tfr-build, built once for all tests.
var binary = sync.OnceValues(func() (path string, err error) {
	dir, err := os.MkdirTemp("", "tfr-build-test")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "tfr-build")
	cmd := exec.Command("go", "build", "-o", path, "tfr-build/cmd/tfr-build")
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built {
		path, _ := binary()
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

var built bool // whether a test asked for the binary

// tfrBuild is the path of the binary.
func tfrBuild(t testing.TB) string {
	t.Helper()
	built = true
	path, err := binary()
	if err != nil {
		t.Fatalf("building tfr-build: %v", err)
	}
	return path
}
