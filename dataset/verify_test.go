package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/tfrecord"
)

func TestVerifyCleanDatasets(t *testing.T) {
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		for shards := range 5 {
			for records := range 4 {
				fsys, _ := small(t, shards, records, c)
				if found := damages(t, fsys, 3); found != nil {
					t.Errorf("%v, %d shards of %d records: %q", c, shards, records, found)
				}
			}
		}
	}
}

func TestVerifyCountsWhatItRead(t *testing.T) {
	fsys, _ := small(t, 3, 5, tfrecord.None)
	checked, err := Verify(t.Context(), ".", VerifyOptions{Store: memory{files: fsys}, Workers: 2,
		Report: func(*DamageError) {}})
	var size int64
	for _, f := range fsys {
		size += int64(len(f.Data))
	}
	want := Checked{Files: int64(len(fsys)), Records: 15, Bytes: size}
	if err != nil || checked != want {
		t.Errorf("checked %+v (%v), want %+v", checked, err, want)
	}
}

func TestVerifyWithSHA256(t *testing.T) {
	m := Manifest{DigestAlgorithm: "sha256"}
	fsys := finish(t, &Info{Name: "small", Version: "1.0.0"}, &m, []testSplit{{"train", [][][]byte{{[]byte("a")}}}})
	if found := damages(t, fsys, 1); found != nil {
		t.Errorf("clean: %q", found)
	}
	if n := len(m.Splits[0].Shards[0].Digest); n != 64 {
		t.Errorf("a digest of %d digits", n)
	}
}

// records returns the frames of a shard.
func records(shard []byte) (frames [][]byte) {
	for len(shard) > 0 {
		n := int(binary.LittleEndian.Uint64(shard)) + tfrecord.TFRecord.Overhead()
		frames, shard = append(frames, shard[:n:n]), shard[n:]
	}
	return frames
}

func join(frames ...[]byte) []byte { return bytes.Join(frames, nil) }

// TestVerifyDamages checks the message of each type of damage, with record and offset.
func TestVerifyDamages(t *testing.T) {
	const a, b = "train-00000-of-00003", "train-00001-of-00003"
	edit := func(name string, change func([]byte) []byte) func(fstest.MapFS) {
		return func(fsys fstest.MapFS) {
			fsys[name] = &fstest.MapFile{Data: change(bytes.Clone(fsys[name].Data)), Mode: 0o644}
		}
	}
	frames := func(change func(f [][]byte) [][]byte) func(fstest.MapFS) {
		return edit(a, func(data []byte) []byte { return join(change(records(data))...) })
	}
	for _, c := range []struct {
		name   string
		damage func(fsys fstest.MapFS)
		want   []string
	}{
		{"missing", func(fsys fstest.MapFS) { delete(fsys, a) }, []string{a + ": it is missing"}},
		{"a directory", func(fsys fstest.MapFS) { fsys[a] = &fstest.MapFile{Mode: fs.ModeDir | 0o755} },
			[]string{a + ": it is a directory, not a file"}},
		{"a pipe", func(fsys fstest.MapFS) { fsys[a] = &fstest.MapFile{Mode: fs.ModeNamedPipe | 0o644} },
			[]string{a + ": it is a pipe, not a file"}},
		{"extra", func(fsys fstest.MapFS) { fsys["train-00003-of-00003"] = fsys[a] },
			[]string{"train-00003-of-00003: it does not belong to the dataset"}},
		{"extra directory", func(fsys fstest.MapFS) { fsys["old/"+a] = fsys[a] },
			[]string{"old: it does not belong to the dataset"}},
		{"extra metadata", func(fsys fstest.MapFS) { fsys["_tfr/more"] = fsys[a] },
			[]string{"_tfr/more: it does not belong to the dataset"}},
		{"renamed", func(fsys fstest.MapFS) { fsys["x"] = fsys[a]; delete(fsys, a) },
			[]string{"x: it does not belong to the dataset", a + ": it is missing"}},
		{"swapped", func(fsys fstest.MapFS) { fsys[a], fsys[b] = fsys[b], fsys[a] },
			[]string{a + ": it holds the content of " + b, b + ": it holds the content of " + a}},
		{"emptied", edit(a, func([]byte) []byte { return nil }),
			[]string{a + ": record 0 at byte 0: the file ends here, after 0 of 4 records"}},
		{"cut between records", frames(func(f [][]byte) [][]byte { return f[:3] }),
			[]string{a + ": record 3 at byte 102: the file ends here, after 3 of 4 records"}},
		{"cut in a header", edit(a, func(d []byte) []byte { return d[:105] }),
			[]string{a + ": record 3 at byte 102: the file ends within its header, after 3 bytes of the record"}},
		{"cut in a payload", edit(a, func(d []byte) []byte { return d[:120] }),
			[]string{a + ": record 3 at byte 102: the file ends within its payload, after 18 bytes of the record"}},
		{"record twice", frames(func(f [][]byte) [][]byte { return append(f, f[0]) }),
			[]string{a + ": record 4 at byte 138: the file continues, with 5 records instead of 4"}},
		{"record gone", frames(func(f [][]byte) [][]byte { return append(f[:1:1], f[2:]...) }),
			[]string{a + ": record 3 at byte 104: the file ends here, after 3 of 4 records"}},
		{"zeros after", edit(a, func(d []byte) []byte { return append(d, make([]byte, 64)...) }),
			[]string{a + ": record 4 at byte 138: zeros instead of a header"}},
		{"bytes after", edit(a, func(d []byte) []byte { return append(d, 1, 2, 3) }),
			[]string{a + ": record 4 at byte 138: the file ends within its header, after 3 bytes of the record"}},
		{"length flipped", edit(a, func(d []byte) []byte { d[33] ^= 4; return d }),
			[]string{a + ": record 1 at byte 33: the length's checksum is wrong"}},
		{"two payloads flipped", edit(a, func(d []byte) []byte { d[12] ^= 4; d[80] ^= 1; return d }), []string{
			a + ": record 0 at byte 0: the payload's checksum is 00e327c2, and 7a9c204f is written",
			a + ": record 2 at byte 67: the payload's checksum is a0b0753e, and afd97715 is written"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys, _ := small(t, 3, 4, tfrecord.None)
			c.damage(fsys)
			if found := damages(t, fsys, 2); !slices.Equal(found, c.want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(found, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

func TestVerifyFindsChangedOrder(t *testing.T) {
	fsys, _ := small(t, 2, 4, tfrecord.None)
	name := "train-00001-of-00002"
	f := records(fsys[name].Data)
	fsys[name] = &fstest.MapFile{Data: join(f[1], f[0], f[2], f[3])}
	found := damages(t, fsys, 2)
	if len(found) != 1 || !strings.HasPrefix(found[0],
		name+": its records are complete, but differ from the written ones: CRC32C ") {
		t.Errorf("found %q", found)
	}
}

func TestVerifyNamesMetadata(t *testing.T) {
	replace := func(old, new string) func([]byte) []byte {
		return func(d []byte) []byte { return bytes.Replace(d, []byte(old), []byte(new), 1) }
	}
	for _, c := range []struct {
		name, file string
		change     func([]byte) []byte
		want       []string
	}{
		{"manifest edited", ManifestName, replace(`"seed": 0`, `"seed": 1`),
			[]string{"_SUCCESS: its digest differs from the digest of _tfr/manifest.json: one of them was changed"}},
		{"manifest with other counts", ManifestName, replace(`"records": 4`, `"records": 5`),
			[]string{"_tfr/manifest.json: split train: 12 rows are written, and the shards hold 13 records of 12"}},
		{"manifest cut", ManifestName, func(d []byte) []byte { return d[:100] },
			[]string{"_tfr/manifest.json: decoding the manifest: unexpected EOF"}},
		{"manifest and more", ManifestName, func(d []byte) []byte { return append(d, '\n') },
			[]string{"_tfr/manifest.json: the manifest was edited: at byte 1927 it is not as it was written"}},
		{"success edited", SuccessName, func(d []byte) []byte { d[3] ^= 1; return d },
			[]string{"_SUCCESS: its digest differs from the digest of _tfr/manifest.json: one of them was changed"}},
		{"success without newline", SuccessName, func(d []byte) []byte { return d[:64] },
			[]string{"_SUCCESS: its digest differs from the digest of _tfr/manifest.json: one of them was changed"}},
		{"config grown", ConfigName, func(d []byte) []byte { return append(d, '#') },
			[]string{"_tfr/config.yaml: it has 13 bytes instead of 12"}},
		{"config edited", ConfigName, replace("small", "large"),
			[]string{"_tfr/config.yaml: its content was changed: its digest is not the manifest's"}},
		{"reader gone", ReaderName, nil, []string{"_tfr/reader.py: it is missing"}},
		{"success gone", SuccessName, nil, []string{"_SUCCESS: it is missing"}},
		{"manifest gone", ManifestName, nil, []string{"_tfr/manifest.json: it is missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys, _ := small(t, 3, 4, tfrecord.None)
			if c.change == nil {
				delete(fsys, c.file)
			} else {
				fsys[c.file] = &fstest.MapFile{Data: c.change(bytes.Clone(fsys[c.file].Data))}
			}
			if found := damages(t, fsys, 2); !slices.Equal(found, c.want) {
				t.Errorf("found\n  %s\nwant\n  %s", strings.Join(found, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

// TestVerifyFindsHiddenFiles has files that listings do not show. Only files that Python compiles
// from reader.py are not damage.
func TestVerifyFindsHiddenFiles(t *testing.T) {
	fsys, _ := small(t, 1, 1, tfrecord.None)
	for _, name := range []string{
		".DS_Store", ".train-00000-of-00001.tmp", "_tfr/.x", ".cache/x/y", "__pycache__/reader.pyc",
		"_tfr/__pycache__/reader.cpython-311.pyc", "_tfr/__pycache__/reader.cpython-312.opt-1.pyc.140",
		"_tfr/__pycache__/other.pyc", "_tfr/__pycache__/.x", "_tfr/__pycache__/reader.d/x",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte("x")}
	}
	var want []string
	for _, name := range []string{".DS_Store", ".cache", ".train-00000-of-00001.tmp", "__pycache__", "_tfr/.x",
		"_tfr/__pycache__/.x", "_tfr/__pycache__/other.pyc", "_tfr/__pycache__/reader.d"} {
		want = append(want, name+": it does not belong to the dataset")
	}
	if found := damages(t, fsys, 1); !slices.Equal(found, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	fsys, _ = small(t, 1, 1, tfrecord.None)
	fsys["_tfr/__pycache__"] = &fstest.MapFile{Data: []byte("a file")}
	if found := damages(t, fsys, 1); !slices.Equal(found,
		[]string{"_tfr/__pycache__: it does not belong to the dataset"}) {
		t.Errorf("found %q", found)
	}
}

// TestVerifyFollowsLinks links to a dataset elsewhere.
func TestVerifyFollowsLinks(t *testing.T) {
	fsys, m := small(t, 2, 3, tfrecord.None)
	dir, other := t.TempDir(), t.TempDir()
	put(t, fsys, other)
	for _, name := range []string{"_tfr", SuccessName, "dataset_info.json", "features.json", m.Splits[0].Shards[0].Name,
		m.Splits[0].Shards[1].Name} {
		if err := os.Symlink(filepath.Join(other, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	opt := VerifyOptions{Report: func(d *DamageError) { found = append(found, d.Error()) }}
	if checked, err := Verify(t.Context(), dir, opt); err != nil || found != nil || checked.Records != 6 {
		t.Errorf("%q, %v, %+v", found, err, checked)
	}
	if err := errors.Join(os.Remove(filepath.Join(other, SuccessName)),
		os.Symlink("nowhere", filepath.Join(dir, ".link"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), dir, opt); err != nil ||
		!slices.Equal(found, []string{SuccessName + ": it is missing", ".link: it does not belong to the dataset"}) {
		t.Errorf("%q, %v", found, err)
	}
}

// TestVerifyReportsInOrder has many damages and workers.
func TestVerifyReportsInOrder(t *testing.T) {
	fsys, m := small(t, 40, 2, tfrecord.None)
	var want []string
	for i, s := range m.Splits[0].Shards {
		if i%3 == 0 {
			delete(fsys, s.Name)
			want = append(want, s.Name+": it is missing")
		}
	}
	for range 5 {
		if found := damages(t, fsys, 8); !slices.Equal(found, want) {
			t.Fatalf("found %q", found)
		}
	}
}

func TestVerifyOnDisk(t *testing.T) {
	fsys, m := small(t, 3, 4, tfrecord.None)
	dir := t.TempDir()
	put(t, fsys, dir)
	var found []*DamageError
	opt := VerifyOptions{Workers: 2, Report: func(d *DamageError) { found = append(found, d) }}
	if _, err := Verify(t.Context(), dir, opt); err != nil || found != nil {
		t.Fatalf("clean: %v, %v", found, err)
	}
	if err := os.Truncate(filepath.Join(dir, m.Splits[0].Shards[1].Name), 35); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), dir, opt); err != nil || len(found) != 1 || found[0].Record != 1 ||
		found[0].Offset != 33 {
		t.Errorf("cut: %v, %v", found, err)
	}
	if _, err := Verify(t.Context(), filepath.Join(dir, "none"), opt); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if _, err := Verify(t.Context(), filepath.Join(dir, SuccessName), opt); err == nil {
		t.Error("a file is treated as a dataset")
	}
}

// TestVerifyImpossibleNames has names that no file can have.
func TestVerifyImpossibleNames(t *testing.T) {
	fsys, _ := small(t, 1, 2, tfrecord.None)
	dir := t.TempDir()
	put(t, fsys, dir)
	directory := filepath.Join(dir, "_tfr")
	if err := errors.Join(os.RemoveAll(directory), os.WriteFile(directory, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	var found []string
	_, err := Verify(t.Context(), dir, VerifyOptions{Report: func(d *DamageError) { found = append(found, d.Error()) }})
	if want := []string{ManifestName + ": it is missing: not a directory"}; err != nil || !slices.Equal(found, want) {
		t.Errorf("a file for a directory: %q, %v; want %q", found, err, want)
	}
	long := strings.Repeat("x", 5000)
	v := verifier{directory: newDirectory(t.TempDir(), &VerifyOptions{}),
		VerifyOptions: VerifyOptions{Report: func(d *DamageError) {
			if want := long + ": it is missing: file name too long"; d.Error() != want {
				t.Errorf("%v, want %s", d, want)
			}
		}}}
	if err := v.checkFile(t.Context(), FileEntry{Name: long}); err != nil || v.checked.Damages != 1 {
		t.Errorf("a long name: %v, %+v", err, v.checked)
	}
}

var errDisk = errors.New("input/output error")

type brokenFile struct{ fs.File }

func (brokenFile) Read([]byte) (int, error) { return 0, errDisk }

// brokenDisk cannot read one of its files, and reports no damage.
func brokenDisk(t *testing.T, files fstest.MapFS, broken string, workers int) VerifyOptions {
	opened := func(name string, f fs.File) fs.File {
		if name == broken {
			return brokenFile{f}
		}
		return f
	}
	return VerifyOptions{
		Store: memory{files: files, opened: opened}, Workers: workers,
		Report: func(d *DamageError) { t.Errorf("%s: reported %v", broken, d) },
	}
}

func TestVerifyReadErrors(t *testing.T) {
	fsys, m := small(t, 8, 2, tfrecord.None)
	for _, name := range []string{ManifestName, SuccessName, ConfigName, m.Splits[0].Shards[5].Name} {
		_, err := Verify(t.Context(), ".", brokenDisk(t, fsys, name, 2))
		if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestVerifyStopsAtReadError has the first of many shards fail.
func TestVerifyStopsAtReadError(t *testing.T) {
	fsys, m := small(t, 50, 2, tfrecord.None)
	first := m.Splits[0].Shards[0].Name
	checked, err := Verify(t.Context(), ".", brokenDisk(t, fsys, first, 1))
	if !errors.Is(err, errDisk) || checked.Records != 0 {
		t.Errorf("%v after %d records", err, checked.Records)
	}
	if want := "reading record 0 of " + first + ": input/output error"; err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestVerifyStops cancels when a shard is opened.
func TestVerifyStops(t *testing.T) {
	fsys, _ := small(t, 50, 2, tfrecord.None)
	ctx, cancel := context.WithCancel(t.Context())
	opened := func(name string, f fs.File) fs.File {
		if strings.HasPrefix(name, "train-") {
			cancel()
		}
		return f
	}
	checked, err := Verify(ctx, ".", VerifyOptions{
		Store: memory{files: fsys, opened: opened}, Workers: 2,
		Report: func(d *DamageError) { t.Errorf("reported %v", d) },
	})
	if !errors.Is(err, context.Canceled) || checked.Records == 100 {
		t.Errorf("%v after %d records", err, checked.Records)
	}
}

func TestVerifyRecords(t *testing.T) {
	var file []byte
	for range 30 {
		file = tfrecord.TFRecord.Append(file, []byte("payload"))
	}
	check := func(file []byte) (Checked, []string) {
		var found []string
		checked, err := VerifyRecords(t.Context(), "f", VerifyOptions{
			Store:  memory{files: fstest.MapFS{"f": {Data: file}}},
			Report: func(d *DamageError) { found = append(found, d.Error()) },
		})
		if err != nil {
			t.Fatal(err)
		}
		return checked, found
	}
	if checked, found := check(file); found != nil ||
		checked != (Checked{Files: 1, Records: 30, Bytes: int64(len(file))}) {
		t.Errorf("clean: %+v, %q", checked, found)
	}
	gz, _ := shardFile(t, [][]byte{{1}, {2}}, tfrecord.Gzip)
	if checked, found := check(gz); found != nil || checked.Records != 2 || checked.Bytes != int64(len(gz)) {
		t.Errorf("gzip: %+v, %q", checked, found)
	}
	if checked, found := check(nil); found != nil || checked != (Checked{Files: 1}) {
		t.Errorf("empty: %+v, %q", checked, found)
	}
	for i := range 20 {
		file[i*23+12] ^= 1
	}
	checked, found := check(file)
	if len(found) != maxDamages+1 || checked.Records != 10 || found[maxDamages] != "f: 10 more records are damaged" {
		t.Errorf("20 damaged records: %+v, %q", checked, found)
	}
}

func BenchmarkVerify(b *testing.B) {
	split := testSplit{name: "train"}
	for range 4 {
		var payloads [][]byte
		for range 50_000 {
			payloads = append(payloads, bytes.Repeat([]byte("x"), 200))
		}
		split.shards = append(split.shards, payloads)
	}
	fsys := finish(b, &Info{Name: "small", Version: "1.0.0"}, &Manifest{}, []testSplit{split})
	dir := b.TempDir()
	put(b, fsys, dir)
	b.SetBytes(4 * 50_000 * 216)
	for b.Loop() {
		if checked, err := Verify(b.Context(), dir,
			VerifyOptions{Workers: 2, Report: func(d *DamageError) { b.Error(d) }}); err != nil || checked.Damages > 0 {
			b.Fatal(err)
		}
	}
}
