package statistics

import (
	"maps"
	"slices"

	"tfr-build/message"
)

// A Counter counts records for a Summary, in one goroutine.
type Counter struct {
	layout      *Layout
	candidates  *Candidates
	summary     *Summary
	count       records
	fields      []accumulator
	batch       recordBatch     // records that are not yet counted
	keys        map[string]*key // features by key
	steps       map[string]*key // feature lists by key
	others      []*accumulator  // columns outside the layout: another key, or another type of list
	hasMoreKeys bool
	message     message.Message
	parser      message.Parser
	payload     []byte
}

// records counts records.
type records struct {
	n      int64
	bytes  int64
	broken int64 // records that are not a message of the expected kind
}

// A key has the accumulators of one key, by list.
type key struct {
	lists [listCount]*accumulator
}

// NewCounter returns a Counter. Call Begin before you add records.
func (l *Layout) NewCounter() *Counter {
	c := &Counter{layout: l, keys: map[string]*key{}, steps: map[string]*key{}}
	c.batch = newRecordBatch(len(l.fields))
	c.fields = make([]accumulator, len(l.fields))
	for i := range l.fields {
		t := &c.fields[i]
		t.shape = l.shapeOf(&l.fields[i])
		t.name = l.fieldName(i)
		t.field = i
		k := c.key(t.name)
		k.lists[t.list], k.lists[noList] = t, t // a feature without a list counts for its field
	}
	return c
}

// fieldName returns the name of the field with that index.
func (l *Layout) fieldName(i int) name {
	f := &l.fields[i]
	return name{f.Key, f.Steps, listOf(f.List)}
}

// key returns the key of a name, and creates it if necessary.
func (c *Counter) key(n name) *key {
	keys := c.keys
	if n.steps {
		keys = c.steps
	}
	k := keys[n.key]
	if k == nil {
		k = &key{}
		keys[n.key] = k
	}
	return k
}

// Begin sets the Summary that the following records belong to. It must have the layout of the
// Counter, which must have no records since End. Begin reads the Summary: no other Counter may
// call End with it at the same time.
func (c *Counter) Begin(s *Summary) {
	c.summary = s
	if c.candidates != s.candidates {
		c.candidates = s.candidates
		for i := range c.fields {
			c.fields[i].setCandidates(s.candidates)
		}
		for _, t := range c.others {
			t.setCandidates(s.candidates)
		}
	}
	for i := range c.fields {
		c.fields[i].beginColumn(s.fields[i], s.areWide[i].Load())
	}
	for _, t := range c.others {
		t.beginColumn(s.others[t.name], false)
	}
}

// Add parses and counts a record, with all of its keys, including those outside the layout.
func (c *Counter) Add(payload []byte) {
	c.AddRecord(len(payload))
	c.read(payload)
}

// AddJSON counts a record that is a message in JSON.
func (c *Counter) AddJSON(line []byte) {
	c.count.n++
	c.count.bytes += int64(len(line))
	payload, kind, err := c.parser.Parse(c.payload[:0], line)
	if c.payload = payload; err != nil || kind != c.layout.kind && len(payload) > 0 {
		c.count.broken++
		return
	}
	c.read(payload)
}

// AddValue counts a record that is a value of the only field.
func (c *Counter) AddValue(value []byte) {
	c.AddRecord(len(value))
	t := &c.fields[0]
	t.singleValued++
	var k stringKey
	k.set(value)
	t.addString(&k)
}

// AddRecord counts a record of so many bytes without its values.
func (c *Counter) AddRecord(size int) {
	c.count.n++
	c.count.bytes += int64(size)
}

// End adds all counts to the Summary and resets the Counter. Further records belong to the same
// Summary. Two Counters may not call End with the same Summary at the same time.
func (c *Counter) End() {
	c.Flush()
	s := c.summary
	s.count.add(c.count)
	c.count = records{}
	for i := range c.fields {
		if t := &c.fields[i]; t.present() > 0 {
			t.flushTo(s.column(t.name, i, &t.shape))
			s.noteWide(i)
		}
	}
	for _, t := range c.others {
		if t.present() > 0 {
			t.flushTo(s.column(t.name, -1, &t.shape))
		}
	}
	s.hasMoreKeys = s.hasMoreKeys || c.hasMoreKeys
	s.trimKeys(2 * maxKeys) // sorts them only after as many more keys
	c.hasMoreKeys = false
}

// trimKeys drops the keys after the first maxKeys of the keys outside the layout.
func (c *Counter) trimKeys() {
	c.hasMoreKeys = true
	slices.SortFunc(c.others, func(a, b *accumulator) int { return compareNames(a.name, b.name) })
	for _, t := range c.others[maxKeys:] {
		c.key(t.name).lists[t.list] = nil
	}
	clear(c.others[maxKeys:])
	c.others = c.others[:maxKeys]
	for _, keys := range []map[string]*key{c.keys, c.steps} {
		maps.DeleteFunc(keys, func(_ string, k *key) bool { return k.lists == [listCount]*accumulator{} })
	}
}

func (r *records) add(others records) {
	r.n += others.n
	r.bytes += others.bytes
	r.broken += others.broken
}
