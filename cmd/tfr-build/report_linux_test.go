package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/report"
)

// TestReportOnATerminal prints where the report is, and no HTML.
func TestReportOnATerminal(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	config := "name: ids\noutput: out/ids\nsource: {csv: {files: ids.csv}}\nfeatures: {id: int64}\n"
	for name, text := range map[string]string{"ids.yaml": config, "ids.csv": "id\n1\n2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	screen, tty := openTerminal(t, 80)
	defer tty.Close()
	nowhere, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	if code := run([]string{"ids.yaml", "-quiet"}, nowhere, nowhere); code != 0 {
		t.Fatal(code)
	}
	if code := run([]string{"report", "out/ids"}, tty, nowhere); code != 0 {
		t.Fatal(code)
	}
	lines := bufio.NewReader(screen)
	for _, want := range []string{"report: out/ids/" + report.Name, "-o FILE writes it to a file"} {
		if line, err := lines.ReadString('\n'); strings.TrimSpace(line) != want || err != nil {
			t.Errorf("%q, %v; want %s", line, err, want)
		}
	}
	for _, c := range []struct {
		args string
		code int
	}{{"report out/ids -against out/ids", 2}, {"report .", 5}, {"report out/ids -against out/ids -o new.html", 0}} {
		if code := run(strings.Fields(c.args), tty, nowhere); code != c.code {
			t.Errorf("%s: exit code %d; want %d", c.args, code, c.code)
		}
	}
}
