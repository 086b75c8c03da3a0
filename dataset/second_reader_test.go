package dataset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/internal/tftest"
	"tfr-build/tfrecord"
)

// goReads prints a dataset in the format of records.py.
func goReads(t *testing.T, b *bytes.Buffer, dir string, files fstest.MapFS, c tfrecord.Compression) {
	t.Helper()
	m, err := ParseManifest(files[ManifestName].Data)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(b, dir)
	for _, split := range m.Splits {
		for _, shard := range split.Shards {
			in := tfrecord.NewReader(bytes.NewReader(files[shard.Name].Data), tfrecord.Options{Compression: c})
			for {
				payload, err := in.Next()
				if err == nil {
					fmt.Fprintf(b, "%s %d %d %d %x\n", shard.Name, in.Record(), in.Offset(), len(payload),
						sha256.Sum256(payload))
					continue
				}
				if corrupt, ok := err.(*tfrecord.CorruptError); ok {
					fmt.Fprintf(b, "%s %d %d damaged\n", shard.Name, corrupt.Record, corrupt.Offset)
				}
				break
			}
		}
	}
}

// TestSecondReader compares with a reader in another language, for valid datasets and for damaged
// ones that are not compressed.
func TestSecondReader(t *testing.T) {
	tftest.Python(t)
	r := rand.New(rand.NewPCG(5, 6))
	var dirs []string
	var want bytes.Buffer
	add := func(files fstest.MapFS, c tfrecord.Compression) {
		dir := filepath.Join(t.TempDir(), "set")
		put(t, files, dir)
		dirs = append(dirs, dir)
		goReads(t, &want, dir, files, c)
	}
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		for shards := range 4 {
			files, _ := small(t, shards, 5, c)
			add(files, c)
		}
	}
	clean, m := small(t, 3, 4, tfrecord.None)
	for n := 0; n < torture(40, 400); {
		files := maps.Clone(clean)
		h := mutate(t, r, files, m)
		if h == nil || len(h.files) > 1 || !strings.HasPrefix(h.files[0], "train-") || files[h.files[0]] == nil {
			continue
		}
		n++
		add(files, tfrecord.None)
	}
	expected := filepath.Join(t.TempDir(), "expected")
	if err := os.WriteFile(expected, want.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	tftest.Run(t, filepath.Join("testdata", "records.py"), append([]string{expected}, dirs...)...)
}
