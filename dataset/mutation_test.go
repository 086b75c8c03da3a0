package dataset

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/tfrecord"
)

// TestVerifyEveryFlip flips each bit of a shard of 4 KiB.
func TestVerifyEveryFlip(t *testing.T) {
	split := testSplit{"train", [][][]byte{nil}}
	for size := 0; size < 4096; {
		payload := bytes.Repeat([]byte{byte(size)}, min(100, 4096-size-tfrecord.Overhead))
		split.shards[0] = append(split.shards[0], payload)
		size += len(payload) + tfrecord.Overhead
	}
	fsys := finish(t, &Info{Name: "small", Version: "1.0.0"}, &Manifest{}, []testSplit{split})
	m, err := ParseManifest(fsys[ManifestName].Data)
	if err != nil {
		t.Fatal(err)
	}
	shard := fsys["train-00000-of-00001"].Data
	starts := []int64{0}
	for _, f := range records(shard) {
		starts = append(starts, starts[len(starts)-1]+int64(len(f)))
	}
	if len(shard) != 4096 {
		t.Fatalf("the shard has %d bytes", len(shard))
	}
	check, err := newShardCheck(fsys, m)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(shard) {
		shard[bit/8] ^= 1 << (bit % 8)
		res := check.run(t.Context(), 0)
		shard[bit/8] ^= 1 << (bit % 8)
		record, exact := slices.BinarySearch(starts, int64(bit/8))
		if !exact {
			record--
		}
		if res.err != nil || len(res.damages) != 1 || res.damages[0].Record != int64(record) || res.damages[0].Offset != starts[record] {
			t.Fatalf("bit %d: %v, %v; want record %d at %d", bit, res.damages, res.err, record, starts[record])
		}
	}
	if res := check.run(t.Context(), 0); res.damages != nil || res.checked.Records != int64(len(starts)-1) {
		t.Errorf("unharmed: %v, %+v", res.damages, res.checked)
	}
}

// mutate does one random harm to a dataset and names it. It returns "" where
// the dice gave a harm that changes nothing.
func mutate(r *rand.Rand, fsys fstest.MapFS, m *Manifest) string {
	shards := m.Splits[0].Shards
	i, j := r.IntN(len(shards)), r.IntN(len(shards))
	name, other := shards[i].Name, shards[j].Name
	data := bytes.Clone(fsys[name].Data)
	frames := records(data)
	set := func(what string, data []byte) string {
		if bytes.Equal(data, fsys[name].Data) {
			return ""
		}
		fsys[name] = &fstest.MapFile{Data: data}
		return what + " " + name
	}
	at := r.IntN(len(frames))
	switch r.IntN(14) {
	case 0:
		return set("cut", data[:r.IntN(len(data))])
	case 1:
		return set("cut between records", join(frames[:at]...))
	case 2:
		return set("garbage after", append(data, make([]byte, 1+r.IntN(40))...))
	case 3:
		return set("record removed", join(slices.Delete(frames, at, at+1)...))
	case 4:
		return set("record doubled", join(slices.Insert(frames, at, frames[at])...))
	case 5:
		r.Shuffle(len(frames), func(i, j int) { frames[i], frames[j] = frames[j], frames[i] })
		return set("records reordered", join(frames...))
	case 6:
		theirs := records(fsys[other].Data)
		frames[at] = theirs[r.IntN(len(theirs))]
		return set("record of another shard", join(frames...))
	case 7:
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		return set("bit flipped", data)
	case 8:
		clear(data[r.IntN(len(data)):])
		return set("zeros to the end", data)
	case 9:
		if i == j {
			return ""
		}
		fsys[name], fsys[other] = fsys[other], fsys[name]
		return "swapped " + name + " " + other
	case 10:
		delete(fsys, name)
		return "removed " + name
	case 11:
		fsys[fmt.Sprintf("train-%05d-of-99999", r.IntN(99999))] = fsys[name]
		return "extra shard"
	case 12:
		names := slices.Sorted(maps.Keys(fsys))
		meta := slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "train-") })
		name = meta[r.IntN(len(meta))]
		data = bytes.Clone(fsys[name].Data)
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		return set("bit flipped", data)
	}
	return set("grown by a record", tfrecord.Append(data, []byte("more")))
}

// TestVerifyFindsEveryMutation harms a set of 64 shards at random.
func TestVerifyFindsEveryMutation(t *testing.T) {
	rounds := 2_000
	if testing.Short() {
		rounds = 300
	}
	clean, m := small(t, 64, 3, tfrecord.None)
	r := rand.New(rand.NewPCG(1, 2))
	done := map[string]int{}
	for range rounds {
		fsys := maps.Clone(clean)
		what := mutate(r, fsys, m)
		if what == "" {
			continue
		}
		done[strings.TrimRight(what, "0123456789-oftrain ")]++
		if found := damages(t, fsys, 1); len(found) == 0 {
			t.Fatalf("not found: %s", what)
		}
	}
	t.Logf("%d kinds: %v", len(done), done)
}

func TestVerifyCompressedMutations(t *testing.T) {
	for _, c := range []tfrecord.Compression{tfrecord.Gzip, tfrecord.Zlib} {
		clean, m := small(t, 1, 3, c)
		name := m.Splits[0].Shards[0].Name
		for bit := range 8 * len(clean[name].Data) {
			fsys := maps.Clone(clean)
			data := bytes.Clone(clean[name].Data)
			data[bit/8] ^= 1 << (bit % 8)
			fsys[name] = &fstest.MapFile{Data: data}
			if found := damages(t, fsys, 1); len(found) == 0 {
				t.Errorf("%v: bit %d is not found", c, bit)
			}
		}
	}
}
