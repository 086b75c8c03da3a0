package conformance

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// TestMemoryOfRejects compares the binary with what it says of its memory where rows of
// many megabytes are quarantined. They are control characters: each is six bytes in JSON.
// A sample has rows of tar, which take the most memory.
func TestMemoryOfRejects(t *testing.T) {
	size := testenv.Times(20, 40, 40) * mib
	giant := bytes.Repeat([]byte{1}, size)
	for _, c := range []struct {
		name, file, config string
		text               func() []byte
	}{
		{"csv", "a.csv", "source: {csv: {files: a.csv}}\nfeatures: {a: int64}\n",
			func() []byte { return fmt.Appendf(nil, "a,b\n%s,1\n2,3\n", giant) }},
		{"jsonl", "a.jsonl", "source: {jsonl: {files: a.jsonl}}\nfeatures: {a: int64}\n",
			func() []byte { return fmt.Appendf(nil, "%s\n{\"a\":1}\n", giant) }},
		{"text", "a.txt", "source: {text: {files: a.txt}}\nfeatures: {text: int64}\n",
			func() []byte { return fmt.Appendf(nil, "%s\n1\n", giant) }},
		{"tar", "a.tar", "source: {tar: {files: a.tar}}\nfeatures: {key: bytes}\nlimits: {columns: 1000}\n",
			func() []byte { return crowded(t, 1001, giant[:size/1001]) }},
	} {
		if !testenv.Exhaustive() && c.name != "tar" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			text := c.text()
			write(t, dir, c.file, text)
			write(t, dir, "job.yaml", []byte("name: it\noutput: out\non_error: quarantine\nmax_errors: 90%\n"+c.config))
			length := int64(len(text))
			keepsTo(t, promised(1, 2, length, 0)+length,
				[]string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "4GB", "-workers", "1"})
		})
	}
}

// TestMemoryOfManyRejects compares the binary with what it says of its memory where nearly all rows are
// rejected: rows in place and spilled rows, rows of groups, and all rows of groups that are too large, or in several
// splits. A sample has groups of which one row is invalid.
func TestMemoryOfManyRejects(t *testing.T) {
	// 1,100,000 is just above a power of two: a slice that doubled has most room to spare.
	rows := testenv.Times(100_000, 1_100_000, 10_000_000)
	const reject, quoted = 64, 5
	for _, c := range []struct {
		name, config string
		reject       int64 // bytes per row
		line         func(i int) string
	}{
		{"one row in twenty", "split: {fractions: {train: 0.9, test: 0.1}}\n", reject / 20,
			func(i int) string { return fmt.Sprint(i, ",", strings.Repeat("x", i%20/19), "1\n") }},
		{"rows", "split: {fractions: {train: 0.9, test: 0.1}}\n", reject,
			func(i int) string { return fmt.Sprint(i, ",", strings.Repeat("x", min(i, 1)), "1\n") }},
		{"rows without a split", "split: {column: v, map: {'1': train}}\n", reject,
			func(i int) string { return fmt.Sprint(i, ",", min(i, 1)+1, "\n") }},
		{"groups", "group: {by: g}\n", reject, func(i int) string {
			return fmt.Sprint(i/2, ",", []string{"1", "x"}[i%2],
				"\n")
		}},
		{"large groups", "group: {by: g}\nlimits: {group: 1000}\n", reject + quoted*8,
			func(i int) string { return fmt.Sprint(i%(rows/2000), ",1\n") }},
		{"groups in several splits", "group: {by: g}\nsplit: {fractions: {train: 0.9, test: 0.1}, stratify: w}\n",
			reject + quoted*2*40, func(i int) string {
				return fmt.Sprintf("%d,1,%x\n", i%(rows/20), sha256.Sum256(strconv.AppendInt(nil, int64(i%997), 10)))
			}},
	} {
		if !testenv.Exhaustive() && c.name != "groups" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var b strings.Builder
			b.WriteString("g,v\n-1,1\n")
			if strings.Contains(c.config, "stratify") {
				b.Reset()
				b.WriteString("g,v,w\n-1,1,1\n")
			}
			for i := range rows {
				b.WriteString(c.line(i))
			}
			write(t, dir, "a.csv", []byte(b.String()))
			write(t, dir, "job.yaml", []byte("name: it\noutput: out\non_error: quarantine\nmax_errors: "+
				"100%\nsource: {csv: {files: a.csv}}\nfeatures: {v: int64}\n"+c.config))
			limit := promised(1, 0, 0, 16_000_000) + int64(rows)*c.reject
			keepsTo(t, limit, []string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "16MB", "-workers", "1"})
		})
	}
}

// crowded is a tar archive with a row of n members, and a short one.
func crowded(t *testing.T, n int, content []byte) []byte {
	t.Helper()
	w := filetest.NewTar(t)
	w.Format = tar.FormatUSTAR
	for i := range n {
		w.Add(fmt.Sprintf("long.%d", i), string(content))
	}
	w.Add("short.txt", "")
	return []byte(w.Finish())
}
