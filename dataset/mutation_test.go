package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math/bits"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// torture is few, or many in a torture.
func torture(few, many int) int { return testenv.Times(few, few, many) }

// A walked is the result of reading a file with walk: the complete records, their offsets, the
// offset of the end, and whether that is the end of the file.
type walked struct {
	starts []int64
	whole  bool
}

// walk reads the framing without package tfrecord, which it tests.
func walk(data []byte) (w walked) {
	sum := func(b []byte) uint32 {
		return bits.RotateLeft32(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)), 17) + 0xa282ead8
	}
	at := 0
	w.starts = []int64{0}
	for at < len(data) {
		rest := data[at:]
		if len(rest) < 16 || sum(rest[:8]) != binary.LittleEndian.Uint32(rest[8:]) {
			return w
		}
		n := binary.LittleEndian.Uint64(rest)
		if n > uint64(len(rest)-16) || sum(rest[12:12+n]) != binary.LittleEndian.Uint32(rest[12+n:]) {
			return w
		}
		at += int(n) + 16
		w.starts = append(w.starts, int64(at))
	}
	w.whole = true
	return w
}

// expected returns the record and offset of the first damage of a shard, which should have that
// many records.
func expected(data []byte, records int64) (record, offset int64) {
	w := walk(data)
	n := int64(len(w.starts) - 1)
	switch {
	case !w.whole || n < records:
		return n, w.starts[n]
	case n > records:
		return records, w.starts[records]
	}
	return Unknown, Unknown // only the digest differs
}

// TestVerifyEveryFlip flips each bit of a shard.
func TestVerifyEveryFlip(t *testing.T) {
	bytesWanted := torture(1<<10, 4<<10)
	split := testSplit{"train", [][][]byte{nil}}
	for size := 0; size < bytesWanted; {
		payload := bytes.Repeat([]byte{byte(size)}, min(100, bytesWanted-size-tfrecord.TFRecord.Overhead()))
		split.shards[0] = append(split.shards[0], payload)
		size += len(payload) + tfrecord.TFRecord.Overhead()
	}
	fsys := finish(t, &Info{Name: "small", Version: "1.0.0"}, &Manifest{}, []testSplit{split})
	shard := fsys["train-00000-of-00001"].Data
	starts := walk(shard).starts
	if len(shard) != bytesWanted {
		t.Fatalf("the shard has %d bytes", len(shard))
	}
	for bit := 0; bit < 8*len(shard); bit += testenv.Times(29, 1, 1) {
		shard[bit/8] ^= 1 << (bit % 8)
		found := damageErrors(t, fsys, 1)
		shard[bit/8] ^= 1 << (bit % 8)
		record, exact := slices.BinarySearch(starts, int64(bit/8))
		if !exact {
			record--
		}
		if len(found) != 1 || found[0].File != "train-00000-of-00001" || found[0].Record != int64(record) ||
			found[0].Offset != starts[record] {
			t.Fatalf("bit %d: %v; want record %d at %d", bit, found, record, starts[record])
		}
	}
	if found := damageErrors(t, fsys, 1); found != nil {
		t.Errorf("unharmed: %v", found)
	}
	t.Logf("%d flips", 8*len(shard))
}

// A harm is a change of a dataset, with the names of the changed files.
type harm struct {
	what  string
	files []string
}

// mutate does one random harm to a dataset, or none where the dice gave one
// that changes nothing.
func mutate(t *testing.T, r *rand.Rand, fsys fstest.MapFS, m *Manifest) *harm {
	shards := m.Splits[0].Shards
	i, j := r.IntN(len(shards)), r.IntN(len(shards))
	name, other := shards[i].Name, shards[j].Name
	data := bytes.Clone(fsys[name].Data)
	frames := records(data)
	at := r.IntN(len(frames))
	set := func(what string, data []byte) *harm {
		if bytes.Equal(data, fsys[name].Data) {
			return nil
		}
		fsys[name] = &fstest.MapFile{Data: data}
		return &harm{what, []string{name}}
	}
	switch r.IntN(19) {
	case 0:
		return set("cut", data[:r.IntN(len(data))])
	case 1:
		return set("cut between records", join(frames[:at]...))
	case 2:
		return set("zeros after", append(data, make([]byte, 1+r.IntN(40))...))
	case 3:
		return set("bytes after", append(data, fsys[other].Data[:1+r.IntN(30)]...))
	case 4:
		return set("record removed", join(slices.Delete(frames, at, at+1)...))
	case 5:
		return set("record doubled", join(slices.Insert(frames, at, frames[at])...))
	case 6:
		r.Shuffle(len(frames), func(i, j int) { frames[i], frames[j] = frames[j], frames[i] })
		return set("records reordered", join(frames...))
	case 7:
		theirs := records(fsys[other].Data)
		frames[at] = theirs[r.IntN(len(theirs))]
		return set("record of another shard", join(frames...))
	case 8:
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		return set("bit flipped", data)
	case 9:
		clear(data[r.IntN(len(data)):])
		return set("zeros to the end", data)
	case 10:
		return set("grown by a record", tfrecord.TFRecord.Append(data, []byte("more")))
	case 11:
		cut := r.IntN(len(data))
		return set("bytes lost", slices.Delete(data, cut, min(len(data), cut+1+r.IntN(20))))
	case 12:
		return set("replaced by another", fsys[other].Data)
	}
	return mutateFiles(t, r, fsys, m, name, other)
}

// mutateFiles harms files as a whole, or those next to the shards.
func mutateFiles(t *testing.T, r *rand.Rand, fsys fstest.MapFS, m *Manifest, name, other string) *harm {
	extra := fmt.Sprintf("train-%05d-of-99999", r.IntN(99999))
	switch r.IntN(6) {
	case 0:
		if name == other {
			return nil
		}
		fsys[name], fsys[other] = fsys[other], fsys[name]
		return &harm{"swapped", []string{name, other}}
	case 1:
		delete(fsys, name)
		return &harm{"removed", []string{name}}
	case 2:
		fsys[extra] = fsys[name]
		return &harm{"extra shard", []string{extra}}
	case 3:
		fsys[extra] = fsys[name]
		delete(fsys, name)
		return &harm{"renamed", []string{name, extra}}
	case 4: // an edit of the manifest that also corrects its digest
		edited := *m
		edited.Splits = []Split{m.Splits[0]}
		split := &edited.Splits[0]
		split.Shards = slices.DeleteFunc(slices.Clone(split.Shards), func(s Shard) bool { return s.Name == name })
		split.Records -= m.Splits[0].Shards[0].Records // all have as many
		split.Counts = Counts{Found: split.Records, Written: split.Records}
		edited.Sources = []Source{{Kind: "csv", Counts: split.Counts}}
		sealed, err := edited.Seal()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range sealed {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		return &harm{"shard taken out of the manifest", []string{name}}
	}
	names := slices.Sorted(maps.Keys(fsys))
	meta := slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "train-") })
	name = meta[r.IntN(len(meta))]
	data := bytes.Clone(fsys[name].Data)
	data[r.IntN(len(data))] ^= 1 << r.IntN(8)
	fsys[name] = &fstest.MapFile{Data: data}
	if name == ManifestName {
		return &harm{"bit flipped in " + name, []string{ManifestName, SuccessName}} // the one or the other
	}
	return &harm{"bit flipped in " + path.Base(name), []string{name}}
}

// TestVerifyFindsEveryMutation changes a set of 64 shards at random.
func TestVerifyFindsEveryMutation(t *testing.T) {
	clean, m := small(t, 64, 3, tfrecord.None)
	r := rand.New(rand.NewPCG(1, 2))
	done := map[string]int{}
	for n := 0; n < testenv.Times(30, 500, 10_000); {
		fsys := maps.Clone(clean)
		h := mutate(t, r, fsys, m)
		if h == nil {
			continue
		}
		n++
		done[h.what]++
		found := damageErrors(t, fsys, 1)
		if len(found) == 0 {
			t.Fatalf("not found: %s, %q", h.what, h.files)
		}
		for _, d := range found {
			edited := h.files[0] == ManifestName // then the shards are compared with what it says now
			if !edited && !slices.Contains(h.files, d.File) {
				t.Fatalf("%s, %q: reported %v", h.what, h.files, d)
			}
		}
		checkPlace(t, h, fsys, clean, found)
	}
	t.Logf("%d kinds: %v", len(done), done)
}

// checkPlace checks that the record and offset of a harm in one shard are reported.
func checkPlace(t *testing.T, h *harm, fsys, clean fstest.MapFS, found []*DamageError) {
	t.Helper()
	file, there := fsys[h.files[0]]
	_, isShard := clean[h.files[0]]
	if len(h.files) != 1 || !there || !isShard || !strings.HasPrefix(h.files[0], "train-") ||
		h.what == "shard taken out of the manifest" {
		return
	}
	record, offset := expected(file.Data, 3)
	if h.what == "replaced by another" {
		record, offset = Unknown, Unknown
	}
	if d := found[0]; d.Record != record || d.Offset != offset {
		t.Fatalf("%s: reported %v; want record %d at byte %d", h.what, d, record, offset)
	}
}

// TestVerifyUndamagedDatasets verifies random datasets without damage.
func TestVerifyUndamagedDatasets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range testenv.Times(10, 100, 1_000) {
		var splits []testSplit
		for _, name := range []string{"train", "validation", "test"}[:1+r.IntN(3)] {
			split := testSplit{name: name}
			for range r.IntN(9) {
				var payloads [][]byte
				for range r.IntN(20) {
					payload := make([]byte, r.IntN(300))
					for i := range payload {
						payload[i] = byte(r.IntN(256) * r.IntN(2))
					}
					payloads = append(payloads, payload)
				}
				split.shards = append(split.shards, payloads)
			}
			splits = append(splits, split)
		}
		m := Manifest{DigestAlgorithm: []string{"xxh128", "sha256"}[r.IntN(2)]}
		info := Info{Name: "random", Version: "1.0.0", Compression: tfrecord.Compression(r.IntN(3))}
		if found := damages(t, finish(t, &info, &m, splits), 1+r.IntN(4)); found != nil {
			t.Fatalf("alarms: %q", found)
		}
	}
}

func TestVerifyCompressedMutations(t *testing.T) {
	for _, c := range []tfrecord.Compression{tfrecord.Gzip, tfrecord.Zlib} {
		clean, m := small(t, 1, 3, c)
		name := m.Splits[0].Shards[0].Name
		whole := clean[name].Data
		check := func(what string, data []byte) {
			fsys := maps.Clone(clean)
			fsys[name] = &fstest.MapFile{Data: data}
			if found := damages(t, fsys, 1); len(found) == 0 {
				t.Errorf("%v: %s is not found", c, what)
			}
		}
		for bit := range 8 * len(whole) {
			data := bytes.Clone(whole)
			data[bit/8] ^= 1 << (bit % 8)
			check(fmt.Sprintf("bit %d", bit), data)
		}
		for n := range whole {
			check(fmt.Sprintf("a cut at %d", n), whole[:n])
		}
		check("twice the same", append(bytes.Clone(whole), whole...))
	}
}
