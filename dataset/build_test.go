package dataset

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

// values are a feature of a record: []int64, []float32, [][]byte, or nil if the record does not have the
// key.
type values = any

func example(t testing.TB, features map[string]values) []byte {
	t.Helper()
	e := &tfpb.Example{Features: &tfpb.Features{Feature: map[string]*tfpb.Feature{}}}
	for key, v := range features {
		switch v := v.(type) {
		case []int64:
			e.Features.Feature[key] = &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: v}}}
		case []float32:
			e.Features.Feature[key] = &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: &tfpb.FloatList{Value: v}}}
		case [][]byte:
			e.Features.Feature[key] = &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: &tfpb.BytesList{Value: v}}}
		}
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A testSplit is a split by its shards, each a list of payloads.
type testSplit struct {
	name   string
	shards [][][]byte
}

// finish returns all files of a dataset. It completes info and m with the content of the splits.
func finish(t testing.TB, info *Info, m *Manifest, splits []testSplit) fstest.MapFS {
	t.Helper()
	m.Format, m.BytesVersion, m.Tool, m.Name, m.Version = ManifestFormat, 1, "tfr-build", info.Name, info.Version
	m.Compression = info.Compression.String()
	m.SetRecords(info.Record.Message, info.Format())
	if m.DigestAlgorithm == "" {
		m.DigestAlgorithm = "xxh128"
	}
	info.FilenameTemplate = "{SPLIT}-{SHARD_X_OF_Y}"
	var files []File
	var total int64
	for _, s := range splits {
		split := Split{Name: s.name}
		for i, payloads := range s.shards {
			name := fmt.Sprintf("%s-%05d-of-%05d", s.name, i, len(s.shards))
			if info.Format().Message == message.OFRecord {
				name = fmt.Sprintf("%s/part-%05d", s.name, i)
			}
			data, payloadBytes := framed(t, payloads, format{Format: info.Format(), compression: info.Compression})
			digest, err := NewDigest(m.DigestAlgorithm)
			if err != nil {
				t.Fatal(err)
			}
			digest.Write(data)
			files = append(files, File{name, data})
			split.Shards = append(split.Shards, Shard{
				Name: name, Records: int64(len(payloads)), Bytes: int64(len(data)),
				CRC32C: fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))),
				Digest: hex.EncodeToString(digest.Sum(nil)), PayloadBytes: payloadBytes,
			})
			split.Records += int64(len(payloads))
		}
		split.Counts = Counts{Found: split.Records, Written: split.Records}
		total += split.Records
		m.Splits, info.Splits = append(m.Splits, split), append(info.Splits, split)
	}
	m.Sources = []Source{{Kind: "csv", Counts: Counts{Found: total, Written: total}}}
	described, err := Describe(info)
	if err != nil {
		t.Fatal(err)
	}
	described = append(described, File{ConfigName, []byte("name: " + info.Name + "\n")})
	m.Files = Entries(described)
	last, err := m.Seal()
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, f := range append(append(files, described...), last...) {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return fsys
}

func shardFile(t testing.TB, payloads [][]byte, c tfrecord.Compression) (data []byte, payloadBytes int64) {
	t.Helper()
	return framed(t, payloads, format{Format: framing.Default(), compression: c})
}

func framed(t testing.TB, payloads [][]byte, f format) (data []byte, payloadBytes int64) {
	t.Helper()
	var b bytes.Buffer
	w := tfrecord.NewWriter(&b, f.Frames, f.compression)
	for _, p := range payloads {
		payloadBytes += int64(len(p))
		if err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), payloadBytes
}

// put writes all files below dir.
func put(t testing.TB, fsys fstest.MapFS, dir string) {
	t.Helper()
	for name, f := range fsys {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// damages verifies fsys and returns the reports, one line each.
func damages(t testing.TB, fsys fstest.MapFS, workers int) []string {
	t.Helper()
	var found []string
	for _, d := range damageErrors(t, fsys, workers) {
		found = append(found, d.Error())
	}
	return found
}

func damageErrors(t testing.TB, fsys fstest.MapFS, workers int) []*DamageError {
	t.Helper()
	var found []*DamageError
	checked, err := Verify(t.Context(), ".", VerifyOptions{
		Store: memory{files: fsys}, Workers: workers, Report: func(d *DamageError) { found = append(found, d) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(found)) != checked.Damages {
		t.Errorf("reported %d damages, counted %d", len(found), checked.Damages)
	}
	return found
}

// small returns a dataset with so many shards. All of its records differ.
func small(t testing.TB, shards, records int, c tfrecord.Compression) (fstest.MapFS, *Manifest) {
	t.Helper()
	split := testSplit{name: "train"}
	for i := range shards {
		var payloads [][]byte
		for j := range records {
			payloads = append(payloads, []byte(fmt.Sprintf("shard %d record %d %s", i, j, strings.Repeat("x", j%7))))
		}
		split.shards = append(split.shards, payloads)
	}
	var m Manifest
	return finish(t, &Info{Name: "small", Version: "1.0.0", Compression: c}, &m, []testSplit{split}), &m
}

// formatNamed returns the format with a name, without compression.
func formatNamed(name string) format { return newFormat(framing.Name(name).Format()) }
