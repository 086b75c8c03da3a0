package manifests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// requireVar has the absence of systemd-analyze be a failure.
const requireVar = "TFR_REQUIRE_SYSTEMD"

// TestUnits has systemd-analyze verify the service and its timer. The program that it
// starts has to be there: another one stands for it.
func TestUnits(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil && os.Getenv(requireVar) != "1" {
		t.Skip("systemd-analyze is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	verify := func(service, timer string) error {
		dir := t.TempDir()
		names := []string{filepath.Join(dir, "pets.service"), filepath.Join(dir, "pets.timer")}
		for i, text := range []string{strings.Replace(service, "/usr/local/bin/tfr-build", "/bin/true", 1), timer} {
			if err := os.WriteFile(names[i], []byte(text), 0o600); err != nil {
				return err
			}
		}
		out, err := exec.Command(program, "verify", "--man=no", names[0], names[1]).CombinedOutput()
		if err == nil && len(out) > 0 { // of a key that it does not know it only speaks
			err = fmt.Errorf("it says %s", out)
		}
		return err
	}
	service := blocks(t, "engines.md", "ini", "[Service]")[0]
	timer := blocks(t, "engines.md", "ini", "[Timer]")[0]
	valid(t, service, "RestartPreventExitStatus", func(text string) error { return verify(text, timer) })
	valid(t, timer, "OnCalendar", func(text string) error { return verify(service, text) })
}
