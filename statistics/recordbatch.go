package statistics

import (
	"math"
	"math/bits"

	"tfr-build/message"
	"tfr-build/schema"
)

// A recordBatch has the values of records that are counted together, column by column. That keeps the
// data of a column in the cache and in CPU registers.
type recordBatch struct {
	schema.Noted          // the values of the next record: a row of values
	buf          []byte   // of the records
	values       []uint64 // as in Noted, by record and field
	skipped      []uint64 // by field: a bit for each record whose value is not in values
	stride       int      // fields
	n            int      // records
	limit        int      // maximum number of records
}

// The limits of a batch.
const (
	maxBatchRecords = 64 // the number of bits of skipped
	maxBatchValues  = 1 << 14
)

// newRecordBatch returns a batch for records with so many fields.
func newRecordBatch(fields int) recordBatch {
	p := recordBatch{stride: fields, limit: max(1, min(maxBatchRecords, maxBatchValues/max(1, fields)))}
	p.values, p.skipped = make([]uint64, p.limit*fields), make([]uint64, fields)
	p.Row = p.values[:fields]
	return p
}

// Noted returns where the caller stores the values of the next record before AddNoted: one per field of
// the layout.
func (c *Counter) Noted() *schema.Noted { return &c.batch.Noted }

// AddNoted counts the record from start to the end of buf. Its values are in Noted.
//
// The Counter keeps a reference to the record until Flush or End: do not change its memory
// before. The next record must follow it in buf, or in a copy to which buf has grown.
func (c *Counter) AddNoted(buf []byte, start int) {
	c.AddRecord(len(buf) - start)
	p := &c.batch
	for _, s := range p.Slow {
		p.skipped[s.Field] |= 1 << p.n
		c.fields[s.Field].addEntry(c.layout.kind, buf[s.Begin:s.End:s.End])
	}
	p.buf, p.Slow = buf, p.Slow[:0]
	if p.n++; p.n == p.limit {
		c.Flush()
	}
	p.Row = p.values[p.n*p.stride:][:p.stride]
}

// Flush counts the records of the batch.
func (c *Counter) Flush() {
	p := &c.batch
	if p.n == 0 {
		return
	}
	for i := range c.fields {
		c.fields[i].addBatch(p)
	}
	clear(p.skipped)
	p.n, p.buf, p.Row = 0, nil, p.values[:p.stride]
}

// addBatch counts the values of a field.
func (t *accumulator) addBatch(p *recordBatch) {
	known := (1<<p.n - 1) &^ p.skipped[t.field]
	t.singleValued += int64(bits.OnesCount64(known))
	switch {
	case known == 0:
		return
	case t.list == bytesList:
		t.addStrings(p, known)
		return
	}
	if cap(t.pending) < numberBatch {
		t.pending = append(make([]uint64, 0, numberBatch), t.pending...)
	}
	if t.smallInts == nil {
		t.smallInts = new([smallIntCount]int64)
	}
	if len(t.pending)+p.n > numberBatch {
		t.flush()
	}
	n, pending, isInt := len(t.pending), t.pending[:cap(t.pending)], !t.isFloat()
	for record, at := 0, t.field; record < p.n && at < len(p.values) &&
		n < len(pending); record, at = record+1, at+p.stride {
		v := p.values[at]
		switch {
		case known>>(record&63)&1 == 0:
			continue
		case t.list == floatList:
			v = math.Float64bits(float64(math.Float32frombits(uint32(v))))
		case isInt && v < smallIntCount:
			t.smallInts[v]++
			continue
		}
		pending[n] = v
		n++
	}
	t.pending = pending[:n]
}

// addStrings counts the strings of a field.
func (t *accumulator) addStrings(p *recordBatch, known uint64) {
	for record, at := 0, t.field; record < p.n; record, at = record+1, at+p.stride {
		if known>>(record&63)&1 != 0 {
			end, size := p.values[at]>>32, p.values[at]&(1<<32-1)
			var k stringKey
			k.set(p.buf[end-size : end])
			t.addString(&k)
		}
	}
}

// addEntry counts the entry of a field.
func (t *accumulator) addEntry(kind message.Kind, entry []byte) {
	if len(entry) == 0 {
		return
	}
	if _, f, ok := message.ReadEntry(kind, entry); ok {
		t.addRecord(t.addFeature(&f))
	}
}
