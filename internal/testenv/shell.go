package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// RequireShellsVar is the environment variable that makes a missing shell or formatter of manual
// pages an error.
const RequireShellsVar = "TFR_REQUIRE_SHELLS"

// Shell returns the path of a shell, or of a program that formats manual pages. If it is not
// installed, the test is skipped, unless TFR_REQUIRE_SHELLS is 1.
func Shell(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv(RequireShellsVar) == "1" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(name + " is not installed")
	}
	return path
}
