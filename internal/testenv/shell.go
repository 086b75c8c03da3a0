package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// RequireShellsVar has the absence of a shell, or of what formats manual pages, be a
// failure.
const RequireShellsVar = "TFR_REQUIRE_SHELLS"

// Shell returns the path of a shell, or of what formats manual pages. Where it is not
// installed, the test is skipped, unless TFR_REQUIRE_SHELLS is 1.
func Shell(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv(RequireShellsVar) == "1" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("there is no " + name)
	}
	return path
}
