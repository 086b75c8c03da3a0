package text_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/text"
)

// limit is limits.record in the tests.
const limit = 16

// open opens the files of dir that match o.
func open(t testing.TB, dir string, o *text.Options) (input.Input, error) {
	t.Helper()
	in, err := o.Open(t.Context(), &input.Env{
		Resolve: func(path string) string { return filepath.Join(dir, path) },
		Limits:  input.Limits{Record: limit},
	})
	if err != nil {
		return nil, err
	}
	return in, in.ReadHeads(context.Background())
}

// file makes a directory with one file.
func file(t *testing.T, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "t.txt"), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func options(skipBlank bool) *text.Options {
	return &text.Options{Files: input.Files{Patterns: []string{"*.txt"}}, SkipBlank: skipBlank}
}

// lines returns the rows of the first file: their text in quotes, or their error.
func lines(t testing.TB, in input.Input) (rows []string, blank int) {
	t.Helper()
	layout, err := in.Bind([]input.Bound{{Name: "text", Slot: 0}, {Name: "text", Slot: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s, vals := layout(input.NewObservations(), false), make([]schema.Value, 2)
	found, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for rec, err := found.Next(); err == nil; rec, err = found.Next() {
		bad := rec.Bad
		if bad == nil {
			_, err = s.Scan(0, rec.Offset, rec.Raw, vals)
			if err != nil && !errors.As(err, &bad) {
				t.Fatal(err)
			}
		}
		if bad != nil {
			p := rec.Position("t", bad)
			rows = append(rows, fmt.Sprintf("%d:%d %s", p.Line, p.Col, bad.Code))
			continue
		}
		if string(vals[0].Text) != string(vals[1].Text) || vals[0].Kind != schema.Text || vals[0].At != 0 {
			t.Errorf("values %+v", vals)
		}
		rows = append(rows, fmt.Sprintf("%q", vals[0].Text))
	}
	return rows, found.Blank()
}

func TestLines(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	for _, tt := range []struct {
		name    string
		content string
		want    string
		skip    string // with skip_blank
		blank   int    // so many
	}{
		{"nothing", "", "", "", 0},
		{"one line", "a\n", `"a"`, `"a"`, 0},
		{"no final line end", "a\nb", `"a" "b"`, `"a" "b"`, 0},
		{"CRLF", "a\r\nb\r\n", `"a" "b"`, `"a" "b"`, 0},
		{"a final CR", "a\r", `"a"`, `"a"`, 0},
		{"CR within", "a\rb\n\rc\n", `"a\rb" "\rc"`, `"a\rb" "\rc"`, 0},
		{"two CR", "a\r\r\n", `"a\r"`, `"a\r"`, 0},
		{"empty lines", "\na\n\n\r\nb\n\n", `"" "a" "" "" "b" ""`, `"a" "b"`, 4},
		{"a final CR alone", "a\n\r", `"a" ""`, `"a"`, 1},
		{"spaces are text", " \n\t\n a \n", `" " "\t" " a "`, `" " "\t" " a "`, 0},
		{"syntax of others is text", "a,\"b\n# c\n{}\n\\n\n", `"a,\"b" "# c" "{}" "\\n"`, `"a,\"b" "# c" "{}" "\\n"`,
			0},
		{"byte order mark", bom + "a\n" + bom + "b\n", `"a" "\ufeffb"`, `"a" "\ufeffb"`, 0},
		{"byte order mark alone", bom, "", "", 0},
		{"byte order mark and an empty line", bom + "\na\n", `"" "a"`, `"a"`, 1},
		{"half a byte order mark", "\xef\xbb", "1:1 UTF8_INVALID", "1:1 UTF8_INVALID", 0},
		{"UTF-8", "é€😀\n\u2028\n", `"é€😀" "\u2028"`, `"é€😀" "\u2028"`, 0},
		{"no UTF-8", "a\nbé\xff\nc\n\xed\xa0\x80\n", `"a" 2:4 UTF8_INVALID "c" 4:1 UTF8_INVALID`,
			`"a" 2:4 UTF8_INVALID "c" 4:1 UTF8_INVALID`, 0},
		{"a rune cut by the line end", "\xe2\x82\n\xac\n", "1:1 UTF8_INVALID 2:1 UTF8_INVALID",
			"1:1 UTF8_INVALID 2:1 UTF8_INVALID", 0},
		{"the limit", strings.Repeat("x", limit) + "\nb", `"xxxxxxxxxxxxxxxx" "b"`, `"xxxxxxxxxxxxxxxx" "b"`, 0},
		{"the limit at the end", strings.Repeat("x", limit), `"xxxxxxxxxxxxxxxx"`, `"xxxxxxxxxxxxxxxx"`, 0},
		{"more than the limit", strings.Repeat("x", limit+1) + "\nb\n", `1:17 LIMIT_RECORD "b"`,
			`1:17 LIMIT_RECORD "b"`, 0},
		{"more at the end", "b\n" + strings.Repeat("x", limit+1), `"b" 2:17 LIMIT_RECORD`, `"b" 2:17 LIMIT_RECORD`, 0},
		{"far more than the limit", strings.Repeat("x", 5*limit) + "\nb\n", `1:17 LIMIT_RECORD "b"`,
			`1:17 LIMIT_RECORD "b"`, 0},
		{"long and no UTF-8", strings.Repeat("\xff", 5*limit) + "\nb\n", `1:17 LIMIT_RECORD "b"`,
			`1:17 LIMIT_RECORD "b"`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for skip, want := range map[bool]string{false: tt.want, true: tt.skip} {
				in, err := open(t, file(t, tt.content), options(skip))
				if err != nil {
					t.Fatal(err)
				}
				rows, blank := lines(t, in)
				if got := strings.Join(rows, " "); got != want {
					t.Errorf("skip_blank %t: %s, want %s", skip, got, want)
				}
				if skip && blank != tt.blank || !skip && blank != 0 {
					t.Errorf("skip_blank %t: %d blank lines", skip, blank)
				}
			}
		})
	}
}

func TestFiles(t *testing.T) {
	dir := file(t, "\xef\xbb\xbfa\n")
	in, err := open(t, dir, options(false))
	if err != nil {
		t.Fatal(err)
	}
	if got := in.Remarks(0); len(got) != 0 {
		t.Errorf("remarks %+v", got)
	}
	if names := in.Columns().Names(); !slices.Equal(names, []string{"text"}) {
		t.Errorf("columns %q", names)
	}
	o := &text.Options{Files: input.Files{Patterns: []string{"none*"}}}
	if _, err := open(t, dir, o); err == nil || !strings.Contains(err.Error(), "no file fits the pattern") {
		t.Errorf("no file: %v", err)
	}
	o.AllowEmpty = true
	if in, err := open(t, dir, o); err != nil || len(in.Listing().Files) != 0 || !o.EmptyAllowed() {
		t.Errorf("no file, which is allowed: %v", err)
	}
}

// TestNotText rejects files that are not text.
func TestNotText(t *testing.T) {
	for content, want := range map[string]string{
		"a\n\x00b\n":           "t.txt:2:1: a NUL byte: the file is not text in UTF-8 [ENCODING]",
		"\xff\xfea\x00\n\x00":  "t.txt:1:1: looks like UTF-16LE [ENCODING]",
		"\x1f\x8b\x08\x00\x00": "decompressing gzip: the file is cut short",
	} {
		if _, err := open(t, file(t, content), options(false)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// TestNumbers converts lines as a feature of a type does.
func TestNumbers(t *testing.T) {
	in, err := open(t, file(t, "7\r\n-12\nx1\n\n 5\n300\n"), options(true))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Compile(schema.Record{Features: []schema.Feature{{Key: "n", Type: schema.Int64,
		Columns: []string{"text"}}}})
	if err != nil {
		t.Fatal(err)
	}
	layout, err := in.Bind([]input.Bound{{Name: "text"}})
	if err != nil {
		t.Fatal(err)
	}
	s, encoder, vals := layout(input.NewObservations(), false), compiled.NewEncoder(), make([]schema.Value, 1)
	var got []string
	err = input.EachRow(t.Context(), in, 0, func(rec *input.Record) error {
		if _, err := s.Scan(0, rec.Offset, rec.Raw, vals); err != nil {
			return err
		}
		example, err := encoder.Append(nil, vals)
		if err != nil {
			got = append(got, err.Error())
			return nil
		}
		got = append(got, fmt.Sprintf("%x", example[len(example)-min(2, len(example)):]))
		return nil
	})
	want := []string{
		"0107", // a list of one byte, 7
		"ff01", // the end of -12 as ten bytes
		`column "text" (feature "n"): "x1" is not an int64 [INT_SYNTAX]`,
		`column "text" (feature "n"): " 5" is not an int64 [INT_SYNTAX]`,
		"ac02", // 300
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
