package statistics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tfr-build/message"
)

// shortRecords returns records of ten short features: 2 integers, 3 floats, and 5 strings and
// classes.
func shortRecords() (fields []Feature, payloads [][]byte, bounds [][]int32) {
	fields = []Feature{
		{Key: "distance", List: message.FloatList, Kind: Number},
		{Key: "fare", List: message.FloatList, Kind: Number},
		{Key: "id", List: message.Int64List, Kind: Number},
		{Key: "kind", List: message.Int64List, Kind: Class, Classes: []string{"a", "b", "c", "d"}},
		{Key: "note", List: message.BytesList, Kind: Text},
		{Key: "passengers", List: message.Int64List, Kind: Number},
		{Key: "remark", List: message.BytesList},
		{Key: "tip", List: message.FloatList, Kind: Number},
		{Key: "vendor", List: message.BytesList, Kind: Text},
		{Key: "zone", List: message.BytesList, Kind: Text},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1 << 11 {
		payload, at := record(message.Example,
			entry{"distance", []float32{float32(r.ExpFloat64() * 3)}},
			entry{"fare", []float32{float32(math.Round(r.ExpFloat64()*4000) / 100)}},
			entry{"id", []int64{int64(r.Uint32())}},
			entry{"kind", []int64{int64(r.IntN(4))}},
			entry{"note", []string{fmt.Sprintf("trip %d", r.Uint32())}},
			entry{"passengers", []int64{int64(1 + r.IntN(6))}},
			entry{"remark", []string{strings.Repeat("far ", 30)[:6+r.IntN(90)] + strconv.Itoa(int(r.Uint32()))}},
			entry{"tip", []float32{float32(r.IntN(2)) * float32(r.IntN(40)) / 4}},
			entry{"vendor", []string{[]string{"CMT", "VTS"}[r.IntN(2)]}},
			entry{"zone", []string{fmt.Sprintf("zone-%d", r.IntN(265))}},
		)
		payloads, bounds = append(payloads, payload), append(bounds, at)
	}
	return fields, payloads, bounds
}

// recordBuffer has records with their bounds in one buffer, as a worker has them.
type recordBuffer struct {
	buf    []byte
	ends   []int
	bounds [][]uint32 // of each, in buf
}

func (m *recordBuffer) add(payload []byte, bounds []int32) {
	var all []uint32
	for _, bound := range bounds {
		all = append(all, uint32(len(m.buf))+uint32(bound))
	}
	m.buf = append(m.buf, payload...)
	m.ends, m.bounds = append(m.ends, len(m.buf)), append(m.bounds, all)
}

// count counts the i-th record. The records before it must be counted already.
func (m *recordBuffer) count(c *Counter, i int) {
	start := 0
	if i > 0 {
		start = m.ends[i-1]
	} else {
		c.Flush()
	}
	note(c, m.buf, func(at int) int { return int(m.bounds[i][at]) })
	c.AddNoted(m.buf[:m.ends[i]], start)
}

// processorTime also reports the CPU time per operation, which is more reliable than wall time on
// a shared machine.
func processorTime(b *testing.B) (stop func()) {
	now := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	b.ResetTimer()
	begin := now()
	return func() { b.ReportMetric(float64(now()-begin)/float64(b.N), "cpu-ns/op") }
}

// BenchmarkAdd counts records in blocks of 4,096, with bounds and without.
func BenchmarkAdd(b *testing.B) {
	fields, payloads, bounds := shortRecords()
	var m recordBuffer
	for i := range payloads {
		m.add(payloads[i], bounds[i])
	}
	for name, hasBounds := range map[string]bool{"bounds": true, "walk": false} {
		b.Run(name, func(b *testing.B) {
			l := NewLayout(message.Example, fields, Options{Values: true})
			candidates := l.Candidates(payloads[:SampleRecords])
			c := l.NewCounter()
			c.Begin(l.NewSummary(candidates))
			b.ReportAllocs()
			defer processorTime(b)()
			for i := range b.N {
				at := i % len(payloads)
				if hasBounds {
					m.count(c, at)
				} else {
					c.Add(payloads[at])
				}
				if i%4096 == 4095 {
					c.End()
				}
			}
		})
	}
}

// BenchmarkField counts records of one feature each.
func BenchmarkField(b *testing.B) {
	fields, payloads, bounds := shortRecords()
	for i, f := range fields {
		b.Run(f.Key, func(b *testing.B) {
			l := NewLayout(message.Example, fields[i:i+1], Options{Values: true})
			candidates := l.Candidates(payloads[:SampleRecords])
			c := l.NewCounter()
			c.Begin(l.NewSummary(candidates))
			var m recordBuffer
			for at := range payloads {
				entry := payloads[at][bounds[at][i]:bounds[at][i+1]]
				m.add(entry, []int32{0, int32(len(entry))})
			}
			defer processorTime(b)()
			for n := range b.N {
				m.count(c, n%len(m.ends))
				if n%4096 == 4095 {
					c.End()
				}
			}
		})
	}
}

// BenchmarkSequence counts records that have two feature lists.
func BenchmarkSequence(b *testing.B) {
	list := func(key string, values any) []byte {
		step := field(nil, 1, listField(message.Example, values))
		return field(nil, 1, field(field(nil, 1, []byte(key)), 2, append(step, step...)))
	}
	payload := field(nil, 2, append(list("a", []int64{1, 2, 3}), list("b", []string{"text"})...))
	l := NewLayout(message.SequenceExample, nil, Options{})
	c := l.NewCounter()
	c.Begin(l.NewSummary(nil))
	b.ReportAllocs()
	defer processorTime(b)()
	for range b.N {
		c.Add(payload)
	}
}
