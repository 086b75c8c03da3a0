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
	for _, want := range []string{"report: out/ids/" + report.Name, "--open opens it, -o FILE writes it to a file"} {
		if line, err := lines.ReadString('\n'); strings.TrimSpace(line) != want || err != nil {
			t.Errorf("%q, %v; want %s", line, err, want)
		}
	}
	// xdg-open opens the report; its failures are reported.
	t.Setenv("PATH", dir)
	if code := run([]string{"report", "out/ids", "--open"}, nowhere, nowhere); code != 1 {
		t.Errorf("without xdg-open: exit code %d; want 1", code)
	}
	opener := func(script string) {
		if err := os.WriteFile("xdg-open", []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	opener(`echo "$1" > opened`)
	for args, want := range map[string]string{
		"report out/ids --open":                               "out/ids/" + report.Name,
		"report out/ids -against out/ids --open -o seen.html": "seen.html",
	} {
		if code := run(strings.Fields(args), nowhere, nowhere); code != 0 {
			t.Fatalf("%s: exit code %d", args, code)
		}
		if got, err := os.ReadFile("opened"); strings.TrimSpace(string(got)) != filepath.Join(dir, want) || err != nil {
			t.Errorf("%s: opened %q, %v", args, got, err)
		}
	}
	opener("echo no display >&2; exit 3")
	for _, c := range []struct {
		args string
		code int
	}{{"report out/ids -against out/ids", 2}, {"report .", 5}, {"report out/ids --open", 1},
		{"report out/ids --open -o -", 2}, {"report out/ids --open -against out/ids", 2},
		{"report out/ids -against out/ids -o new.html", 0}} {
		if code := run(strings.Fields(c.args), tty, nowhere); code != c.code {
			t.Errorf("%s: exit code %d; want %d", c.args, code, c.code)
		}
	}
	text, err := os.ReadFile(nowhere.Name())
	for _, want := range []string{"xdg-open is not installed; the report is out/ids/",
		"xdg-open: exit status 3: no display"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s does not have %q, %v", text, want, err)
		}
	}
}
