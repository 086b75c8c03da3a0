package badinput

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/internal/testenv"
)

// A reject is a line of the file of rejects.
type reject struct {
	Source    *int    `json:"source"`
	Name      *string `json:"name"`
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Offset    int     `json:"offset"`
	Code      string  `json:"code"`
	Column    string  `json:"column"`
	Feature   string  `json:"feature"`
	Message   string  `json:"message"`
	Raw       string  `json:"raw"`
	RawBase64 []byte  `json:"raw_base64"`
}

// keys is the order of the keys of a line.
var keys = regexp.MustCompile(
	`^\{"source":\d+,"name":.*?,"file":.*?,("line":\d+,)?"offset":\d+,"code":"[A-Z0-9_]+",("column":.*?,` +
		`)?("feature":.*?,)?"message":.*?(,"raw":.*|,"raw_base64":.*)?\}$`)

// TestQuarantine quarantines every invalid row: the build succeeds, or ends with 3 if no
// other row is left, and the file of rejects says of the row what the build that fails
// says of it.
func TestQuarantine(t *testing.T) {
	bin := testenv.Program(t)
	for k, c := range chapters(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for i, f := range c.faults {
				if f.verdict == badRow && (i-k)%testenv.Times(41, 1, 1) == 0 &&
					!strings.Contains(f.config, "on_error") {
					t.Run(f.name, func(t *testing.T) { f.quarantine(t, bin) })
				}
			}
		})
	}
}

func (f fault) quarantine(t *testing.T, bin string) {
	failed := f.failure(t, bin)
	f.config = "on_error: quarantine\nmax_errors: 100%\n" + f.config
	dir := f.layOut(t)
	cmd := f.command(bin, dir)
	cmd.Env = append(os.Environ(), quick)
	said, err := cmd.CombinedOutput()
	if failed.Code == "MEMBER_TWICE" { // the build finds it after it has written all rows
		if cmd.ProcessState.ExitCode() != 3 || !bytes.Contains(said, []byte("[MEMBER_TWICE]")) {
			t.Errorf("%v\n%s", err, said)
		}
		return
	}
	if noneLeft := bytes.Contains(said, []byte("and no other row is left")); noneLeft &&
		cmd.ProcessState.ExitCode() != 3 || !noneLeft && err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, f.output+".rejects.jsonl"))
	must(t, err)
	var line []byte
	var r reject
	for len(text) > 0 && (r.Code == "" || r.Code == "GROUP_ROW") { // which the first row has by another one
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if !keys.Match(line) {
			t.Errorf("the keys of %s", line)
		}
		r = reject{}
		must(t, json.Unmarshal(line, &r))
	}
	if r.Source == nil || r.Name == nil || (*r.Source != 0 || *r.Name != "") &&
		!strings.Contains(f.config, "sources:") {
		t.Errorf("source and name of %s", line)
	}
	message, _, _ := strings.Cut(failed.Text, "; the first of ") // several, of which the reject is one
	if r.Code != failed.Code || r.Message != message || r.Line != failed.Line || r.Column != failed.Column ||
		r.Feature != failed.Feature {
		t.Errorf("rejected as %s\nwhere a build fails with %+v", line, failed)
	}
	switch {
	case failed.Offset != nil:
		r.checkRecord(t, filepath.Join(dir, failed.File), failed)
	case failed.Row != nil: // whose bytes are gathered from arrays, unless they are too many
		if r.Offset != *failed.Row || r.Raw == "" && r.RawBase64 == nil && r.Code != "LIMIT_RECORD" {
			t.Errorf("row %d of an array is rejected as %s", *failed.Row, line)
		}
	case r.Line == 0:
		r.checkFile(t, failed)
	default:
		r.checkRow(t, filepath.Join(dir, failed.File))
	}
}

// checkRecord compares the offset and the bytes of a record with the file.
func (r *reject) checkRecord(t *testing.T, path string, failed message) {
	raw := r.RawBase64
	if raw == nil {
		raw = []byte(r.Raw)
	}
	data, err := os.ReadFile(path)
	if err != nil || *failed.Offset != r.Offset || !bytes.HasPrefix(data[r.Offset:], raw) {
		t.Errorf("%x is not at byte %d: %v", raw, r.Offset, err)
	}
}

// checkFile checks that a row that is a file is named and not copied.
func (r *reject) checkFile(t *testing.T, failed message) {
	if utf8.ValidString(r.File) && !strings.HasSuffix(failed.File, r.File) && !strings.Contains(failed.File, `\`) {
		t.Errorf("file %q, but the message says %q", r.File, failed.File)
	}
	if r.Raw != "" || r.RawBase64 != nil {
		t.Errorf("the content of %s is in the rejects", r.File)
	}
}

// checkRow compares the offset and the text with the file, unless it is
// compressed or of another encoding.
func (r *reject) checkRow(t *testing.T, path string) {
	raw := r.Raw
	if r.RawBase64 != nil {
		raw = string(r.RawBase64)
		if utf8.ValidString(raw) {
			t.Errorf("%q in base64", raw)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.HasPrefix(string(data), "\xff\xfe") || strings.Contains(string(data), "\x00\n\x00") {
		return // its name is escaped in the message, or its text in the rejects decoded
	}
	if r.Offset > len(data) || !strings.HasPrefix(string(data[r.Offset:]), raw) {
		t.Errorf("%q is not at byte %d", raw, r.Offset)
	}
	isDocument := strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".xml") // whose rows are within lines
	if !isDocument && r.Offset > 0 && data[r.Offset-1] != '\n' {
		t.Errorf("byte %d begins no line", r.Offset)
	}
}

// A message is a line of the log in JSON.
type message struct {
	Level   string `json:"level"`
	Code    string `json:"code"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Row     *int   `json:"row"` // of an array
	Column  string `json:"column"`
	Feature string `json:"feature"`
	Text    string `json:"message"`
	Offset  *int   `json:"offset"` // of a record
}

// failure is the error that a build ends with at the first invalid row.
func (f fault) failure(t *testing.T, bin string) (failed message) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := f.command(bin, f.layOut(t), "-log-format", "json")
	cmd.Env = append(os.Environ(), quick)
	cmd.Stderr = &stderr
	if err := cmd.Run(); !errors.As(err, new(*exec.ExitError)) {
		t.Fatalf("%v", err)
	}
	for line := range bytes.Lines(stderr.Bytes()) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil || !utf8.Valid(line) {
			t.Fatalf("%v: %q", err, line)
		}
		if m.Level == "error" {
			return m
		}
	}
	t.Fatalf("no error in %s", &stderr)
	return message{}
}
