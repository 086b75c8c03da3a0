package dataset

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/framing"
	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// ofImage is an OFRecord with the two features of an image.
func ofImage(label uint64, encoded string) []byte {
	bytesOf := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	entry := func(key string, list protowire.Number, value []byte) []byte {
		feature := bytesOf(list, bytesOf(1, value))
		return bytesOf(1, slices.Concat(bytesOf(1, []byte(key)), bytesOf(2, feature)))
	}
	return slices.Concat(entry("class/label", 4, protowire.AppendVarint(nil, label)),
		entry("encoded", 1, []byte(encoded)))
}

func TestOFRecordVector(t *testing.T) {
	const want = "\n\x14\n\vclass/label\x12\x05\"\x03\n\x01\a\n\x12\n\aencoded\x12\a\n\x05\n\x03\xff\xd8\xff"
	if got := ofImage(7, "\xff\xd8\xff"); string(got) != want {
		t.Errorf("an OFRecord is %q", got)
	}
}

// ofRecords is a shard of n records, all of which differ.
func ofRecords(shard, n int) (payloads [][]byte) {
	for i := range n {
		payloads = append(payloads, ofImage(uint64(100*shard+i),
			fmt.Sprintf("image %d of %d%s", i, shard, strings.Repeat("\x00", i%5))))
	}
	return payloads
}

// ofSmall is an OFRecord dataset of two splits.
func ofSmall(t testing.TB, records int) (fstest.MapFS, *Manifest) {
	t.Helper()
	var m Manifest
	info := &Info{Name: "small", Version: "1.0.0", Record: schema.Record{Message: schema.OFRecordMessage},
		Framing: framing.Name("ofrecord").Format()}
	splits := []testSplit{{"train", [][][]byte{ofRecords(0, records), ofRecords(1, records)}},
		{"test", [][][]byte{ofRecords(2, records), nil}}}
	return finish(t, info, &m, splits), &m
}

// ofStarts are the offsets of the records in a file, and its length.
func ofStarts(payloads [][]byte) []int64 {
	starts := []int64{0}
	for i, p := range payloads {
		starts = append(starts, starts[i]+8+int64(len(p)))
	}
	return starts
}

func TestVerifyOFRecordDataset(t *testing.T) {
	clean, _ := ofSmall(t, 3)
	if found := damages(t, clean, 2); found != nil {
		t.Errorf("unharmed: %q", found)
	}
	const shard = "train/part-00001"
	for what, harm := range map[string]struct {
		do   func(fsys fstest.MapFS)
		want []string
	}{
		"a stranger in a directory": {func(fsys fstest.MapFS) { fsys["train/part-00002"] = fsys[shard] },
			[]string{"train/part-00002: it does not belong to the dataset"}},
		"a stranger below": {func(fsys fstest.MapFS) { fsys["train/below/part-00000"] = fsys[shard] },
			[]string{"train/below: it does not belong to the dataset"}},
		"a directory of unknown files": {func(fsys fstest.MapFS) { fsys["more/part-00000"] = fsys[shard] },
			[]string{"more: it does not belong to the dataset"}},
		"a missing shard": {func(fsys fstest.MapFS) { delete(fsys, shard) }, []string{shard + ": it is missing"}},
		"the same file in two directories": {func(fsys fstest.MapFS) { fsys[shard] = fsys["test/part-00000"] },
			[]string{shard + ": it holds the content of test/part-00000"}},
		"no records": {func(fsys fstest.MapFS) { fsys[shard] = &fstest.MapFile{} },
			[]string{shard + ": record 0 at byte 0: the file ends here, after 0 of 3 records"}},
	} {
		fsys := maps.Clone(clean)
		harm.do(fsys)
		if found := damages(t, fsys, 2); !slices.Equal(found, harm.want) {
			t.Errorf("%s: %q, want %q", what, found, harm.want)
		}
	}
}

// TestVerifyOFRecordEveryFlip flips each bit of a shard. The manifest's digests find all flips. If
// the payload is no longer a message, the error names the record.
func TestVerifyOFRecordEveryFlip(t *testing.T) {
	const name = "train/part-00000"
	fsys, _ := ofSmall(t, 3)
	shard := fsys[name].Data
	starts := ofStarts(ofRecords(0, 3))
	placed := 0
	flips := 0
	for bit := 0; bit < 8*len(shard); bit += testenv.Times(17, 1, 1) {
		flips++
		shard[bit/8] ^= 1 << (bit % 8)
		found := damageErrors(t, fsys, 1)
		shard[bit/8] ^= 1 << (bit % 8)
		if len(found) == 0 || found[0].File != name {
			t.Fatalf("bit %d: %v", bit, found)
		}
		record, exact := slices.BinarySearch(starts, int64(bit/8))
		if !exact {
			record--
		}
		inLength := int64(bit/8) < starts[record]+8
		switch d := found[0]; {
		case d.Record == int64(record) && d.Offset == starts[record]:
			placed++
		// a shorter one may be complete, too
		case d.Record != Unknown && !inLength, inLength && d.Record != int64(record)+1:
			t.Fatalf("bit %d of record %d: %v", bit, record, found)
		}
	}
	if placed < flips/4 {
		t.Errorf("of %d flips the position of %d is reported", flips, placed)
	}
}

// TestVerifyOFRecordMutations does to a shard what no checksum of a record would
// show.
func TestVerifyOFRecordMutations(t *testing.T) {
	const name = "train/part-00000"
	clean, _ := ofSmall(t, 4)
	payloads := ofRecords(0, 4)
	check := func(what string, data []byte, record int64) {
		t.Helper()
		fsys := maps.Clone(clean)
		fsys[name] = &fstest.MapFile{Data: data}
		found := damageErrors(t, fsys, 1)
		if len(found) == 0 || found[0].File != name || found[0].Record != record {
			t.Errorf("%s: %v, want record %d", what, found, record)
		}
	}
	file := func(payloads ...[]byte) []byte {
		data, _ := framed(t, payloads, formatNamed("ofrecord"))
		return data
	}
	whole := file(payloads...)
	starts := ofStarts(payloads)
	for n := range whole {
		at, exact := slices.BinarySearch(starts, int64(n))
		if !exact {
			at--
		}
		check(fmt.Sprintf("a cut at %d", n), whole[:n], int64(at))
		check(fmt.Sprintf("zeros from %d on", n), append(bytes.Clone(whole[:n]), make([]byte, len(whole)-n+8)...),
			zerosFrom(whole, starts, n))
	}
	check("a record removed", file(payloads[0], payloads[2], payloads[3]), 3)
	check("a record doubled", file(payloads[0], payloads[0], payloads[1], payloads[2], payloads[3]), 4)
	check("records reordered", file(payloads[1], payloads[0], payloads[2], payloads[3]), Unknown)
	check("a record of another shard", file(payloads[0], payloads[1], payloads[2], ofRecords(1, 4)[3]), Unknown)
	check("bytes after", append(bytes.Clone(whole), 1, 2, 3), 4)
	check("a TFRecord file", func() []byte { data, _ := shardFile(t, payloads, tfrecord.None); return data }(), 0)
}

// zerosFrom is the first record that zeros from a byte on damage, where its values
// do not end in zeros themselves.
func zerosFrom(whole []byte, starts []int64, n int) int64 {
	for i, end := range starts[1:] {
		payload := bytes.Clone(whole[starts[i]+8 : end])
		for at := max(int64(n), starts[i]+8); at < end; at++ {
			payload[at-starts[i]-8] = 0
		}
		if int64(n) < starts[i]+8 || !message.Is(message.OFRecord, payload) {
			return int64(i)
		}
	}
	return int64(len(starts) - 1)
}

// A lone is a file of no dataset that is verified.
type lone struct {
	path, to string
	deep     bool
	found    []string
	warned   []string
	saved    []Salvaged
}

func newLone(t *testing.T, name string) *lone {
	dir := t.TempDir()
	return &lone{path: filepath.Join(dir, name), to: filepath.Join(dir, "saved")}
}

func (l *lone) verify(t *testing.T, data []byte) Checked {
	t.Helper()
	l.found, l.warned, l.saved = nil, nil, nil
	if err := os.RemoveAll(l.to); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	salvage, err := NewSalvage(l.to)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := VerifyRecords(t.Context(), l.path, VerifyOptions{
		Deep: l.deep, Salvage: salvage,
		Report:   func(d *DamageError) { l.found = append(l.found, strings.TrimPrefix(d.Error(), l.path+": ")) },
		Warn:     func(text string) { l.warned = append(l.warned, text) },
		Salvaged: func(s Salvaged) { l.saved = append(l.saved, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// kept are the records of the salvaged file.
func (l *lone) kept(t *testing.T, f format) (list []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(l.to, filepath.Base(l.path)))
	if err != nil {
		t.Fatal(err)
	}
	in := f.newReader(bytes.NewReader(data), "salvaged")
	for {
		payload, err := in.Next()
		if err != nil {
			if err.Error() != "EOF" {
				t.Error(err)
			}
			return list
		}
		list = append(list, string(payload))
	}
}

// TestVerifyLoneOFRecordFile flips each bit of a file without a manifest. Without checksums, only a
// payload that is not a message is found; all other records are salvaged. A warning says so each
// time.
func TestVerifyLoneOFRecordFile(t *testing.T) {
	payloads := ofRecords(0, 4)
	whole, _ := framed(t, payloads, formatNamed("ofrecord"))
	starts := ofStarts(payloads)
	l := newLone(t, "part-0")
	for _, l.deep = range []bool{false, true} {
		if checked := l.verify(t, whole); l.found != nil || checked.Records != 4 || checked.Bytes != int64(len(whole)) {
			t.Errorf("unharmed: %q, %+v", l.found, checked)
		}
	}
	l.deep = false
	for bit := 0; bit < 8*len(whole); bit += testenv.Times(17, 1, 1) {
		data := bytes.Clone(whole)
		data[bit/8] ^= 1 << (bit % 8)
		l.verify(t, data)
		if !slices.Equal(l.warned, []string{"this is an OFRecord file" + withoutChecksums}) {
			t.Fatalf("bit %d: warned %q", bit, l.warned)
		}
		record, exact := slices.BinarySearch(starts, int64(bit/8))
		if !exact {
			record--
		}
		from := starts[record] + 8
		unseen := int64(bit/8) >= from && message.Is(message.OFRecord, data[from:starts[record+1]])
		if (l.found == nil) != unseen {
			t.Fatalf("bit %d: %q", bit, l.found)
		}
		if unseen {
			continue
		}
		var want []string
		for i, p := range payloads {
			if i != record {
				want = append(want, string(p))
			}
		}
		got := slices.DeleteFunc(l.kept(t, formatNamed("ofrecord")), func(p string) bool {
			return !slices.Contains(want, p)
		})
		if !slices.Equal(got, want) {
			t.Fatalf("bit %d of record %d: salvaged %q", bit, record, got)
		}
	}
}

// TestVerifyLoneOFRecordFileToItsEnd has damage in several places.
func TestVerifyLoneOFRecordFileToItsEnd(t *testing.T) {
	payloads := ofRecords(0, 6)
	data, _ := framed(t, payloads, formatNamed("ofrecord"))
	starts := ofStarts(payloads)
	data[starts[1]+8] = 0    // the tag of an entry
	data[starts[3]+7] = 0x80 // the sign of a length
	l := newLone(t, "data")
	checked := l.verify(t, data[:len(data)-1])
	want := []string{
		fmt.Sprintf("record 1 at byte %d: the %d bytes of its payload are not a complete record", starts[1],
			len(payloads[1])),
		fmt.Sprintf("record 2 at byte %d: its length is -%d; expected at least 1", starts[3],
			1<<63-uint64(len(payloads[3]))),
		fmt.Sprintf("record 3 at byte %d: the file ends within its payload, after %d bytes of the record", starts[5],
			8+len(payloads[5])-1),
	}
	if !slices.Equal(l.found, want) {
		t.Errorf("found %q\nwant  %q", l.found, want)
	}
	if checked.Records != 3 || !slices.Equal(l.kept(t, formatNamed("ofrecord")),
		[]string{string(payloads[0]), string(payloads[2]), string(payloads[4])}) {
		t.Errorf("%+v, salvaged %q", checked, l.kept(t, formatNamed("ofrecord")))
	}
}

// TestVerifyLoneOFRecordFileDoesNotKnow makes damage that is found only with a manifest.
func TestVerifyLoneOFRecordFileDoesNotKnow(t *testing.T) {
	payloads := ofRecords(0, 4)
	l := newLone(t, "part-0")
	for what, kept := range map[string][][]byte{
		"cut between records": payloads[:2], "a record missing": payloads[1:], "doubled": {payloads[0], payloads[0]},
		"moved": {payloads[1], payloads[0]},
	} {
		data, _ := framed(t, kept, formatNamed("ofrecord"))
		if checked := l.verify(t, data); l.found != nil || checked.Records != int64(len(kept)) ||
			!slices.Equal(l.warned, []string{"this is an OFRecord file" + withoutChecksums}) {
			t.Errorf("%s: %q, warned %q", what, l.found, l.warned)
		}
	}
}

// TestSalvageOfDirectories salvages shards of one name in two directories.
func TestSalvageOfDirectories(t *testing.T) {
	files, _ := ofSmall(t, 4)
	r := newRescue(t, files)
	starts := ofStarts(ofRecords(0, 4))
	for _, name := range []string{"train/part-00000", "train/part-00001", "test/part-00000"} {
		r.damage(t, name, func(data []byte) []byte { data[starts[1]+8] ^= 1; return data })
	}
	if err := r.verify(t); err != nil {
		t.Fatal(err)
	}
	want := []Salvaged{
		{"train/part-00000", filepath.Join(r.to, "train", "part-00000"), 3, 1},
		{"train/part-00001", filepath.Join(r.to, "train", "part-00001"), 3, 1},
		{"test/part-00000", filepath.Join(r.to, "test", "part-00000"), 3, 1},
	}
	if !slices.Equal(r.saved, want) {
		t.Errorf("saved %v; found %q", r.saved, r.found)
	}
	if got := slices.Concat(names(t, r.to), names(t, r.to+"/train"), names(t, r.to+"/test")); !slices.Equal(got,
		[]string{"test", "train", "part-00000", "part-00001", "part-00000"}) {
		t.Errorf("salvaged %q", got)
	}
	got, err := os.ReadFile(want[2].Path)
	all := ofRecords(2, 4)
	if whole, _ := framed(t, [][]byte{all[0], all[2], all[3]}, formatNamed("ofrecord")); err != nil ||
		!bytes.Equal(got, whole) {
		t.Errorf("%v: %q", err, got)
	}
}
