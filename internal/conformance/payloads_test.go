package conformance

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/pipeline"
	"tfr-build/tfrecord"
)

// unknownPayloads are records of a message that tfr-build does not know, and a few of any bytes: empty,
// of one byte, and repeated.
func unknownPayloads(rows int) (list [][]byte) {
	rng := rand.New(rand.NewPCG(47, uint64(rows)))
	for i := range rows {
		payload := make([]byte, rng.IntN(200))
		for j := range payload {
			payload[j] = byte(rng.Uint32())
		}
		if i%7 == 3 {
			payload = list[i/2]
		}
		list = append(list, payload)
	}
	return list
}

// shuffledRecords is the config of docs/tools/deepvariant.md, for one set.
const shuffledRecords = `
name: hg001
output: out
seed: %d
source:
  tfrecord: {files: "in/training_set.with_label.tfrecord-?????-of-00016.gz"}
record: {bytes: record}
compression: gzip
shards:
  count: 1000
  filename: "{SPLIT}ing_set.with_label.shuffled-{SHARD_X_OF_Y}.tfrecord"
`

// TestPayloadsOfAnyMessage copies records of an unknown message from 16 files of make_examples into 1,000 shards, as
// DeepVariant's script does: the payloads are the same, as a multiset, and the seed decides their order.
func TestPayloadsOfAnyMessage(t *testing.T) {
	dir := t.TempDir()
	want, all := map[[sha256.Size]byte]int{}, unknownPayloads(5000)
	files := make([][]byte, 16)
	for i, payload := range all {
		want[sha256.Sum256(payload)]++
		files[i%16] = tfrecord.TFRecord.Append(files[i%16], payload)
	}
	for i, file := range files {
		name := fmt.Sprintf("in/training_set.with_label.tfrecord-%05d-of-00016.gz", i)
		write(t, dir, name, gzipped(file))
		write(t, dir, name+".example_info.json", []byte(`{"shape": [100, 221, 7]}`))
	}
	orders := map[string]int{}
	for _, run := range []struct {
		seed int
		run  pipeline.Run
	}{{1, pipeline.Run{Workers: 1}}, {1, pipeline.Run{Workers: 7, Memory: little}}, {2, pipeline.Run{}}} {
		write(t, dir, "hg001.yaml", fmt.Appendf(nil, shuffledRecords, run.seed))
		output := filepath.Join(t.TempDir(), "out")
		build(t, filepath.Join(dir, "hg001.yaml"), output, run.run)
		got, order := map[[sha256.Size]byte]int{}, sha256.New()
		for i := range 1000 {
			name := fmt.Sprintf("training_set.with_label.shuffled-%05d-of-01000.tfrecord.gz", i)
			for _, payload := range payloadsOf(t, filepath.Join(output, name)) {
				sum := sha256.Sum256(payload)
				got[sum]++
				order.Write(sum[:])
			}
		}
		for sum, n := range want {
			if got[sum] != n {
				t.Fatalf("seed %d: found payload %x %d times, want %d", run.seed, sum[:4], got[sum], n)
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d different payloads, want %d", run.seed, len(got), len(want))
		}
		orders[string(order.Sum(nil))]++
	}
	if len(orders) != 2 {
		t.Errorf("%d orders of two seeds", len(orders))
	}
}

// payloadsOf returns the payloads of a file.
func payloadsOf(t testing.TB, file string) (list [][]byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{Compression: tfrecord.Gzip})
	for {
		payload, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, bytes.Clone(payload))
	}
}
