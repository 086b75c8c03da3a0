package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"tfr-build/internal/testenv"
)

// openTerminal opens a pseudo-terminal of so many columns.
func openTerminal(t *testing.T, columns uint16) (control, terminal *os.File) {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { control.Close() })
	fd := int(control.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return control, terminal
}

// screenOf returns the final content of a terminal with that many columns, after text
// was written to it. A line that is too long continues in the next one.
func screenOf(written string, columns int) string {
	var lines []string
	var line []rune
	at := 0
	end := func() {
		lines = append(lines, strings.TrimRight(string(line), " ")+"\n")
		line, at = nil, 0
	}
	for _, r := range written {
		switch {
		case r == '\n':
			end()
			continue
		case r == '\r':
			at = 0
			continue
		case at == columns:
			end()
		}
		if at == len(line) {
			line = append(line, r)
		}
		line[at] = r
		at++
	}
	if strings.TrimSpace(string(line)) != "" {
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "")
}

// runInTerminal runs tfr-build in a terminal of so many columns, and returns all that it
// wrote to it.
func runInTerminal(t *testing.T, dir string, columns uint16, args ...string) string {
	t.Helper()
	control, terminal := openTerminal(t, columns)
	cmd := exec.Command("tfr-build", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, terminal, terminal
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	var screen bytes.Buffer
	_, _ = io.Copy(&screen, control) // it ends with an error once no process has the terminal open
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, screen.String())
	}
	return screen.String()
}

// TestSuccessInTerminal builds in a terminal: the result is for people, and with
// -log-format json and in a pipe for programs.
func TestSuccessInTerminal(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ids.yaml": "name: ids\noutput: out/ids\nsource: {csv: {files: ids.csv}}\nsplit: {column: part}\nfeatures: " +
			"{id: int64}\n" +
			"on_error: skip\nmax_errors: 1\nwhere: keep == 'yes'\n",
		"ids.csv": "id,part,keep\n1,train,yes\nx,train,yes\n2,test,yes\n3,test,no\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rest := `  test 1 · train 1
  rejected 1 row: INT_SYNTAX 1
  filtered 1 row: where 1
  report: out/ids/_tfr/report.html
`
	for _, c := range []struct{ args, want string }{
		{"ids.yaml", `(?s)^note: 4 rows: 1 skipped by where\nids.csv:3:1: warning: .*\n` +
			`Built out/ids: 2 rows in 2 shards, [0-9.]+ k?B, 0\.[0-9]+ s \([0-9,.]+ rows/s\)\n` +
			regexp.QuoteMeta(rest) + `$`},
		{"ids.yaml", `^Up to date out/ids: 2 rows in 2 shards, [0-9.]+ k?B\n` + regexp.QuoteMeta(rest) + `$`},
		{"ids.yaml -quiet", `^$`},
		{"ids.yaml -log-format json", `^\{[^\n]*"result":"up to date"[^\n]*\}\n$`},
		{"task plan -config ids.yaml", `^Up to date out/ids: 2 rows in 2 shards, [0-9.]+ k?B\n` +
			regexp.QuoteMeta(rest) + `$`},
		{"ids.yaml -overwrite -fresh -quiet", `^warning: 1 row rejected: INT_SYNTAX 1\n$`},
	} {
		screen := screenOf(runInTerminal(t, dir, 400, strings.Fields(c.args)...), 400)
		if !regexp.MustCompile(c.want).MatchString(screen) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.args, screen, c.want)
		}
	}
}

// TestProgressInTerminal builds in terminals of several widths: all progress is in one
// line, and the percentage never falls, though classes are read in three splits. A
// sample has one width.
func TestProgressInTerminal(t *testing.T) {
	dir := t.TempDir()
	var rows bytes.Buffer
	rows.WriteString("id,kind,part\n")
	for i := range 1_000_000 { // half a second
		fmt.Fprintf(&rows, "%d,k%d,%s\n", i, i%7, []string{"train", "validation", "test"}[i%3])
	}
	config := "name: rows\noutput: out/rows\nsource: {csv: {files: rows.csv}}\nsplit: {column: part}\nfeatures: {id: " +
		"int64, kind: {classes: auto}}\n"
	for name, data := range map[string][]byte{"rows.csv": rows.Bytes(), "rows.yaml": []byte(config)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	percentage := regexp.MustCompile(`^ *(\d+)%`)
	for _, columns := range []int{50, 120, 1}[:testenv.Times(1, 3, 3)] {
		written := runInTerminal(t, dir, uint16(columns), "rows.yaml", "-workers", "1", "-overwrite", "-fresh")
		progress, _, _ := strings.Cut(written, "Built")
		progress, _, _ = strings.Cut(progress, "warning: ") // a warning that a dataset is replaced
		if strings.Contains(progress, "\n") {
			t.Errorf("%d columns: several lines: %q", columns, progress)
		}
		last, most := 0, 0
		for line := range strings.SplitSeq(progress, "\r") {
			most = max(most, utf8.RuneCountInString(line))
			if m := percentage.FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[1])
				if n < last {
					t.Errorf("%d columns: %d%% after %d%%", columns, n, last)
				}
				last = n
			}
		}
		if most >= columns {
			t.Errorf("a line of %d columns in a terminal of %d", most, columns)
		}
		if columns > 10 && last == 0 {
			t.Errorf("%d columns: no progress in %q", columns, written)
		}
	}
}
