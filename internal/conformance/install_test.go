package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// installBlocks are the commands of docs/install.md that hold a text.
func installBlocks(t *testing.T, text string) string {
	t.Helper()
	for _, b := range blocksOf(t, "docs/install.md") {
		if b.language == "sh" && strings.Contains(b.text, text) {
			return b.text
		}
	}
	t.Fatalf("docs/install.md has no commands with %s", text)
	return ""
}

// shell runs commands and returns what they print.
func shell(t *testing.T, dir, commands string, env ...string) string {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
	return string(out)
}

// TestInstalledByGo renames the module as docs/install.md says. Then Go installs the
// program by its new path, builds another module against it, and finds all packages of
// the modules next to it. Its repository is a directory; what it needs comes from the
// cache of this machine.
func TestInstalledByGo(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("compiles the complete program")
	}
	work := t.TempDir()
	fork, other := filepath.Join(work, "fork"), filepath.Join(work, "other")
	copyProject(t, fork)
	shell(t, fork, installBlocks(t, "rename-module"))
	shell(t, fork, `git init -q && git add . && git -c user.name=you -c user.email=you@localhost commit -qm fork && `+
		`git tag v1.2.3`)
	for _, module := range []string{"scripts", "lab", "lab/kubernetes", "beam"} {
		if said := shell(t, filepath.Join(fork, module), "go list -deps ./..."); strings.Contains(said, "\ntfr-build") {
			t.Errorf("%s imports packages by the old path:\n%s", module, said)
		}
	}
	shell(t, fork, "go test -run TestImports .")

	modules := strings.TrimSpace(shell(t, project, "go env GOMODCACHE"))
	env := []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + fork + ".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/you/tfr-build",
		"GOPROXY=file://" + modules + "/cache/download", "GONOPROXY=github.com/you", "GOSUMDB=off", "GOWORK=off",
		"GOMODCACHE=" + filepath.Join(work, "modules"), "GOBIN=" + work, "GOFLAGS=-modcacherw -trimpath",
		"CGO_ENABLED=0",
	}
	shell(t, work, installBlocks(t, "go install"), env...)
	if said := shell(t, work, "./tfr-build version"); !strings.HasPrefix(said, "tfr-build v1.2.3, ") {
		t.Errorf("it says that it is %s", said)
	}
	shell(t, fork, "mv testdata/othermodule "+other)
	commands := "go mod edit -dropreplace github.com/you/tfr-build -require github.com/you/tfr-build@v1.2.3 && go " +
		"run -mod=mod ."
	if said := shell(t, other, commands, env...); !strings.Contains(said, "4 records, 0 damaged\n") {
		t.Errorf("the other module's program prints\n%s", said)
	}
}

// TestCompletionIsFound lays completions and the manual page where docs/install.md
// does. The shells and man find them. A sample has a shell and man.
func TestCompletionIsFound(t *testing.T) {
	home := t.TempDir()
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "TERM=dumb",
		"PATH=" + filepath.Dir(testenv.Program(t)) + ":" + os.Getenv("PATH")}
	shell(t, home, installBlocks(t, "completion bash"), env...)
	for i, c := range []struct{ program, commands, want string }{
		{"bash", `. ~/.local/share/bash-completion/completions/tfr-build; complete -p tfr-build`, "_tfr_build"},
		{"zsh", `zsh -fc 'fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit -u; print $_comps[tfr-build]'`,
			"_tfr-build\n"},
		{"fish", `fish -c 'complete -C "tfr-build versi"'`, "version\t"},
		{"man", `man -M ~/.local/share/man tfr-build | cat`, "TFR-BUILD(1)"},
	} {
		if i%testenv.Times(3, 1, 1) != 0 {
			continue
		}
		t.Run(c.program, func(t *testing.T) {
			testenv.Shell(t, c.program)
			if said := shell(t, home, c.commands, env...); !strings.Contains(said, c.want) {
				t.Errorf("it says %q, want %q in it", said, c.want)
			}
		})
	}
}
