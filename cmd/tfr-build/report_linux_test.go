package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/report"
)

// terminal is a pseudo-terminal: what is written to one side is read from the other.
func terminal(t *testing.T) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return screen, tty
}

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
	screen, tty := terminal(t)
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
