package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// completions are command lines with all of their completions, without those that are existing
// files.
var completions = []struct {
	line string
	want []string
	not  []string
}{
	{"tfr-build ver", []string{"verify", "version"}, []string{"check"}},
	{"tfr-build ", []string{"build", "check", "help", "a.yaml"}, []string{"b.csv", "status"}},
	{"tfr-build verify --", []string{"--cold", "--deep", "--salvage"}, []string{"--fresh", "--config"}},
	{"tfr-build --fr", []string{"--fresh"}, nil},
	{"tfr-build --no", []string{"--no-sync"}, nil},
	{"tfr-build -workers 2 ch", []string{"check"}, nil},
	{"tfr-build -j 2 ch", []string{"check"}, nil},
	{"tfr-build --log-format ", []string{"text", "json"}, []string{"build"}},
	{"tfr-build --log-format=j", []string{"json"}, []string{"text"}},
	{"tfr-build check --config=", []string{"a.yaml", "folder/"}, []string{"b.csv"}},
	{"tfr-build --sync=", []string{"true", "false"}, []string{"a.yaml"}},
	{"tfr-build a.yaml ", nil, []string{"a.yaml", "check"}},
	{"tfr-build write --compression g", []string{"gzip"}, []string{"zlib"}},
	{"tfr-build check --config ", []string{"a.yaml"}, []string{"b.csv"}},
	{"tfr-build check -f ", []string{"a.yaml"}, []string{"b.csv"}},
	{"tfr-build check ", []string{"a.yaml"}, []string{"b.csv"}},
	{"tfr-build inspect b", []string{"b.csv"}, []string{"a.yaml"}},
	{"tfr-build --output ", []string{"folder/"}, []string{"a.yaml", "b.csv"}},
	{"tfr-build write --output b", []string{"b.csv"}, nil},
	{"tfr-build task ", []string{"plan", "all", "status", "clean"}, []string{"check"}},
	{"tfr-build task plan ", []string{"a.yaml"}, []string{"b.csv", "all"}},
	{"tfr-build task status --", []string{"--json", "--work"}, []string{"--wait"}},
	{"tfr-build task all --w", []string{"--wait", "--work"}, []string{"--json"}},
	{"tfr-build explain INT", []string{"INT_SYNTAX"}, []string{"TYPE"}},
	{"tfr-build completion ", []string{"bash", "fish", "zsh"}, []string{"b.csv"}},
	{"tfr-build help pl", []string{"plan"}, []string{"check"}},
	{"tfr-build x.yaml pl", nil, []string{"plan"}},
}

// TestComplete asks for what can be the last word, without a shell.
func TestComplete(t *testing.T) {
	for line, want := range map[string]valueKind{
		"":                  configValue,
		"a.yaml ":           "",
		"check ":            configValue,
		"diff a ":           fileValue,
		"diff a b ":         "",
		"task plan ":        configValue,
		"-o ":               dirValue,
		"init -o ":          fileValue,
		"version --memory ": "",
		"build --memory = ": anyValue,
		"task --index=":     anyValue,
	} {
		if got := complete(strings.Split(line, " ")); got.kind != want {
			t.Errorf("%q: the kind is %q, want %q", line, got.kind, want)
		}
	}
}

// TestCompletion completes command lines in the installed shells. A sample has every third line,
// others for each shell.
func TestCompletion(t *testing.T) {
	for i, shell := range []struct {
		name string
		ask  func(t *testing.T, shell, dir, script, line string) []string
	}{{"bash", askBash}, {"fish", askFish}, {"zsh", askZsh}} {
		t.Run(shell.name, func(t *testing.T) {
			t.Parallel()
			program := testenv.Shell(t, shell.name)
			dir, script := t.TempDir(), filepath.Join(t.TempDir(), "script")
			for _, name := range []string{"a.yaml", "b.csv", "folder/.keep"} {
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(script, []byte(scripts[shell.name]), 0o644); err != nil {
				t.Fatal(err)
			}
			for k, c := range completions {
				if (i+k)%testenv.Times(3, 1, 1) != 0 {
					continue
				}
				got := shell.ask(t, program, dir, script, c.line)
				for i := range got { // fish has the flag, too
					got[i] = got[i][strings.Index(got[i], "=")+1:]
				}
				for _, want := range c.want {
					if !slices.Contains(got, want) && !slices.Contains(got, strings.TrimSuffix(want, "/")) {
						t.Errorf("%q: %q is not in %q", c.line, want, got)
					}
				}
				for _, not := range c.not {
					if slices.Contains(got, not) {
						t.Errorf("%q: %q is in %q", c.line, not, got)
					}
				}
			}
		})
	}
}

func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "TERM=dumb")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// askBash calls the function as readline does. An equals sign is a word of its own.
func askBash(t *testing.T, shell, dir, script, line string) []string {
	words := strings.Split(strings.TrimSuffix(strings.ReplaceAll(line, "=", " = "), " "), " ")
	if strings.HasSuffix(line, " ") {
		words = append(words, "")
	}
	text := output(t, dir, shell, append([]string{"--norc", "-c",
		`. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($#-1)); _tfr_build; printf '%s\n' "${COMPREPLY[@]}"`,
		"bash", script}, words...)...)
	return strings.Split(strings.TrimSpace(text), "\n")
}

func askFish(t *testing.T, shell, dir, script, line string) (list []string) {
	text := output(t, dir, shell, "--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, script, line)
	for candidate := range strings.Lines(text) {
		candidate, _, _ = strings.Cut(strings.TrimSpace(candidate), "\t")
		list = append(list, candidate)
	}
	return list
}

// askZsh has an interactive zsh complete the line on a terminal of its own, with a
// compadd that says what it is given, where it is not only asked (-A, -D, -O).
func askZsh(t *testing.T, shell, dir, script, line string) []string {
	const asking = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT= RPROMPT=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u; source $1; cd $2"
zpty -w z 'compadd() {
    if [[ -z ${@[(r)-[ADO]]} ]]; then
        local -a all
        builtin compadd -O all "$@"
        print -rl -- "" "<"${^all}">"
    fi
    builtin compadd "$@"
}'
zpty -w z 'finish() { print "<END>"; exit }; complete-and-finish() { zle complete-word; finish }'
zpty -w z 'zle -N complete-and-finish; bindkey "^I" complete-and-finish; print READY'
while zpty -r z text; do [[ $text == READY* ]] && break; done
zpty -w -n z "$3"$'\t'
while zpty -r z text; do print -r -- "$text"; [[ $text == *"<END>"* ]] && break; done
`
	text := output(t, dir, shell, "-f", "-c", asking, "zsh", script, dir, line)
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if begin, end := strings.LastIndex(line, "<"), strings.LastIndex(line, ">"); begin >= 0 && end > begin {
			list = append(list, line[begin+1:end])
		}
	}
	return list
}
