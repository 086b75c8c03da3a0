package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"tfr-build/internal/testenv"
)

// encoded writes text in an encoding of the config.
func encoded(t *testing.T, encoding, text string) string {
	t.Helper()
	var out []byte
	switch encoding {
	case "utf-8":
		return text
	case "latin-1":
		for _, r := range text {
			out = append(out, byte(r))
		}
	case "utf-16le", "utf-16be":
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			if encoding == "utf-16be" {
				u = u>>8 | u<<8
			}
			out = append(out, byte(u), byte(u>>8))
		}
	default:
		t.Fatal(encoding)
	}
	return string(out)
}

// TestEncodings builds text in each encoding, in all ways: the shards are those of the same text
// in UTF-8.
func TestEncodings(t *testing.T) {
	const text = "Grüße\r\n\nüber ÿ\nende"
	for name, sources := range map[string]string{
		"text": "text: {files: 'in/*.txt', encoding: ENCODING}\nfeatures: {a: {from: text, type: string}}\n",
		"folder": "folder: {dir: in, encoding: ENCODING}\nfeatures: {a: {from: content, type: string}, n: {from: " +
			"stem, type: string}}\n",
		"record": "folder: {dir: in, encoding: ENCODING}\nrecord: {text: content}\n",
	} {
		want := ""
		for i, encoding := range []string{"utf-8", "latin-1", "utf-16le", "utf-16be"} {
			if i > 0 && (i+len(name))%testenv.Times(3, 1, 1) != 0 {
				continue
			}
			dir := testenv.Directory(t, map[string]string{"in/a.txt": encoded(t, encoding, text),
				"in/b.txt": encoded(t, encoding, strings.Repeat("zwölf\n", 2000))})
			cfg := load(t, dir, "name: d\noutput: out\norder: source\nsource:\n  "+strings.ReplaceAll(sources,
				"ENCODING", encoding))
			for _, w := range everyWay(t) {
				output := mustBuild(t, cfg, w)
				shard, err := os.ReadFile(filepath.Join(output, "train-00000-of-00001"))
				if err != nil {
					t.Fatal(err)
				}
				if want == "" {
					want = string(shard)
				}
				if string(shard) != want {
					t.Errorf("%s in %s, %+v: another shard", name, encoding, w)
				}
			}
		}
	}
}

// TestOtherEncodings builds from text in another encoding than the config says: each build fails.
func TestOtherEncodings(t *testing.T) {
	for _, test := range []struct{ source, written, encoding, want string }{
		{"text: {files: in/a.txt, ENCODING}", "latin-1", "",
			`in/a.txt:1:3: column "text": byte 0xfc is not UTF-8 [UTF8_INVALID]`},
		{"text: {files: in/a.txt, ENCODING}", "utf-16be", "", "in/a.txt:1:1: looks like UTF-16BE [ENCODING]"},
		{"text: {files: in/a.txt, ENCODING}", "utf-16be", "encoding: utf-16le",
			"in/a.txt:1:1: begins with the byte order mark of UTF-16BE [ENCODING]"},
		{"folder: {dir: in, ENCODING}", "latin-1", "encoding: utf-8",
			`in/a.txt: column "content": byte 0xfc is not UTF-8 [UTF8_INVALID]`},
		{"folder: {dir: in, ENCODING}", "utf-16le", "encoding: utf-8",
			`in/a.txt: column "content": looks like UTF-16LE [ENCODING]`},
	} {
		dir := testenv.Directory(t, map[string]string{"in/a.txt": encoded(t, test.written, "grün ist\n")})
		column := "content"
		if strings.HasPrefix(test.source, "text") {
			column = "text"
		}
		cfg := load(t, dir, "name: d\noutput: out\nsource:\n  "+strings.ReplaceAll(test.source, "ENCODING",
			test.encoding)+"\nfeatures: {a: {from: "+column+", type: string}}\n")
		_, err := Build(t.Context(), cfg, ways[0].run(filepath.Join(dir, "out")))
		got := "no error"
		if err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, test.want) {
			t.Errorf("%s of %s, %s: %s, want %s", test.source, test.written, test.encoding, got, test.want)
		}
	}
}
