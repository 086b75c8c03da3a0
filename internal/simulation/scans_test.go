package simulation

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
)

// attempt is that of the processes that would have scanned.
const attempt = "0123456789abcdef"

// scanned leaves what all scans would leave: each a run with a row in each bucket, which
// all take from one, and a note. bytes is how large the record of a row seems to be.
func (d *dataset) scanned(p *work.Plan, bytes uint64) {
	d.t.Helper()
	cfg, err := p.Config.Parse()
	if err != nil {
		d.t.Fatal(err)
	}
	set, err := rows.Open(d.t.Context(), cfg, rows.Options{Workers: 1, Listed: p.Listings})
	if err == nil {
		err = set.Bind(d.t.Context())
	}
	if err != nil {
		d.t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	r, data := runOf(set, p.Buckets, random, plan.Size{Record: bytes, Raw: bytes})
	named(d.t, filepath.Join(d.dir, "run"), data, 0, len(p.Scans), func(k int) string {
		return filepath.Join(d.dir, "w", "runs", fmt.Sprintf("%d-%s", k, attempt))
	})
	sample := r.Splits[0].Sample
	for k, pieces := range p.Scans {
		for i := range sample { // the lowest of the keys of a scan
			sample[i].Key = random.Uint64() / uint64(p.Buckets) * uint64(len(sample))
		}
		slices.SortFunc(sample, func(a, b plan.Sampled) int {
			if a.Key < b.Key {
				return -1
			}
			return 1
		})
		r.Checks = map[int]uint8{}
		for _, piece := range pieces {
			r.Checks[piece.File] = 0
		}
		n := &work.Note{File: fmt.Sprintf("runs/%d-%s", k, attempt), Scanned: r, Rows: int64(p.Buckets)}
		if err := p.Done(work.Scan, k, n); err != nil {
			d.t.Fatal(err)
		}
	}
}

// inlineSample is the number of sampled rows in a note if there are many scans.
const inlineSample = 16

// runOf is a run with a row in each bucket, and its file.
func runOf(set *rows.Set, buckets int, random *rand.Rand, size plan.Size) (*spill.Run, []byte) {
	list := make([][]byte, buckets)
	for left := buckets; left > 0; {
		file, offset := random.IntN(set.Files()), 8+random.Int64N(1000)
		key := set.Shuffle.Key(set.Space.Address(file, offset))
		b, _ := bits.Mul64(key, uint64(buckets))
		if list[b] != nil {
			continue
		}
		text := fmt.Sprintf("%d,word-%d\n", b, b%100)
		entry := binary.LittleEndian.AppendUint64(nil, key)
		entry = binary.LittleEndian.AppendUint32(entry, uint32(len(text)))
		list[b] = append(append(entry, 0, 0), text...)
		left--
	}
	r := &spill.Run{Buckets: make([]spill.Bucket, buckets), Sources: []plan.Source{{Found: int64(buckets)}}}
	var data, index []byte
	for b, entry := range list {
		data = append(data, entry...)
		index = binary.LittleEndian.AppendUint64(index, uint64(len(data)))
		index = binary.LittleEndian.AppendUint64(index, xxh3.Hash(entry))
		r.Buckets[b] = spill.Bucket{Bytes: int64(len(entry)), Rows: []int{1}}
	}
	r.Segments = []spill.Segment{{Bytes: int64(len(data))}}
	data = append(data, index...)
	s := spill.Split{Name: set.Splits.Names()[0], Rows: buckets, Measured: buckets}
	for range plan.SampleRows {
		s.Sample = append(s.Sample, plan.Sampled{Key: ^uint64(0), Size: size, Record: make([]byte, 200)})
	}
	rest, _ := json.Marshal(s.Sample[inlineSample:]) // of numbers and bytes
	s.Sample = s.Sample[:inlineSample]
	s.Rest = &spill.Rest{Offset: int64(len(data)), Bytes: int64(len(rest)), Digest: xxh3.Hash(rest)}
	r.Splits = []spill.Split{s}
	return r, append(data, rest...)
}
