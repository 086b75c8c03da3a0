package spill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rows"
)

// TestInputRanges divides files into parts of different sizes: the parts cover all files once, in
// their order.
func TestInputRanges(t *testing.T) {
	line := `{"id": 12345678}` + "\n"
	dir := testenv.Directory(t, map[string]string{
		"a.jsonl": strings.Repeat(line, 100), "b.jsonl": line, "c.jsonl.gz": filetest.Gzip(strings.Repeat(line, 1000)),
		"d.jsonl": "", "e.jsonl": strings.Repeat(line, 301),
	})
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"),
		[]byte("name: d\noutput: out\nsource: {jsonl: {files: '*.jsonl*'}}\nfeatures: {id: int64}\n"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), cfg, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Release)
	total := int64(0)
	for _, f := range set.Sources[0].Listing().Files {
		total += f.Size
	}
	for _, size := range []int64{1 << 20, 3000, 1000, 17} {
		parts := InputRanges(set, size)
		if n := int64(len(parts)); n < max(1, total/size*9/10) || n > total/size+5 {
			t.Errorf("%d parts of %d bytes from %d", n, size, total)
		}
		file, from := 0, int64(0)
		for _, part := range parts {
			for _, p := range part {
				if p.File != file || p.From != from || p.To != 0 && p.To <= p.From {
					t.Fatalf("parts of %d bytes: %+v, want one from file %d, byte %d on", size, p, file, from)
				}
				if file == 2 && !p.IsComplete() {
					t.Errorf("parts of %d bytes: %+v", size, p)
				}
				if from = p.To; p.To == 0 {
					file++
				}
			}
		}
		if file != set.Files() || from != 0 {
			t.Errorf("parts of %d bytes end in file %d, byte %d", size, file, from)
		}
	}
}

// TestSourceRangesKeepTheOrder checks that later rows of the input never get an earlier bucket, and
// that a compressed file that is larger than estimated ends in its last one.
func TestSourceRangesKeepTheOrder(t *testing.T) {
	set := setOf(t, "order: source\n")
	size := set.Sources[0].Listing().Files[0].Size
	for _, n := range []int{1, 2, 7, 100} {
		ranges, last := newRangeTable(set, n), 0
		for offset := int64(0); offset < size; offset += 13 {
			b := ranges.bucket(0, 0, offset)
			if b < last || b > last+1 {
				t.Fatalf("%d buckets: %d comes after %d", n, b, last)
			}
			last = b
		}
		if beyond := ranges.bucket(0, 0, 10*size); last != n-1 || beyond != n-1 {
			t.Errorf("%d buckets: the last are %d and %d", n, last, beyond)
		}
	}
}
