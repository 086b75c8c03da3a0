package statistics

import (
	"maps"
	"slices"

	"tfr-build/message"
)

// A Counter counts records for a Summary, in one goroutine.
type Counter struct {
	layout     *Layout
	candidates *Candidates
	to         *Summary
	count      records
	fields     []tally
	lanes      lanes
	pack       pack            // records that are not yet counted
	keys       map[string]*key // of features
	steps      map[string]*key // of feature lists
	others     []*tally        // of keys that the layout lacks, or whose values are in another list
	isCut      bool
	last       *key  // stands before the first one
	number     int64 // of the record
	spans      []span
	message    message.Message
	parser     message.Parser
	payload    []byte
}

// records are those that were counted.
type records struct {
	n      int64
	bytes  int64
	broken int64 // that are no message of the kind
}

// A key is what the values of one key are counted in, by their lists.
type key struct {
	text   string
	prefix string // that a short entry of it has after its size
	lists  [lists]*tally
	next   *key  // that came after it the last time
	number int64 // of the record that had it the last time
}

// NewCounter returns a Counter, which is to begin with a Summary.
func (l *Layout) NewCounter() *Counter {
	c := &Counter{layout: l, keys: map[string]*key{}, steps: map[string]*key{}, last: &key{}}
	c.pack = newPack(len(l.fields) + 1)
	c.fields = make([]tally, len(l.fields))
	for i := range l.fields {
		t := &c.fields[i]
		t.shape = shapeOf(&l.fields[i])
		t.name = l.fieldName(i)
		t.field = i
		c.lanes.join(t)
		k := c.key(t.name)
		k.lists[t.list], k.lists[noList] = t, t // a feature without a list belongs to its field
	}
	return c
}

// fieldName is the name of a field.
func (l *Layout) fieldName(i int) name {
	f := &l.fields[i]
	return name{f.Key, f.Steps, listOf(f.List)}
}

// key is what is known of a key.
func (c *Counter) key(n name) *key {
	of := c.keys
	if n.steps {
		of = c.steps
	}
	k := of[n.key]
	if k == nil {
		k = &key{text: n.key}
		k.prefix = string(append(appendBytes([]byte{tag1}, []byte(n.key)), tag2))
		of[n.key] = k
	}
	return k
}

// Begin says which Summary of the same layout the records belong to that come next. The
// Counter has to be empty. While one of them begins with a Summary none may End with it.
func (c *Counter) Begin(s *Summary) {
	c.to = s
	if c.candidates != s.candidates {
		c.candidates = s.candidates
		for i := range c.fields {
			c.fields[i].use(s.candidates)
		}
		for _, t := range c.others {
			t.use(s.candidates)
		}
	}
	for i := range c.fields {
		c.fields[i].expect(s.fields[i])
	}
	for _, t := range c.others {
		t.expect(s.others[t.name])
	}
}

// Add counts a record, which is read, and keys that the layout lacks are counted, too.
func (c *Counter) Add(payload []byte) {
	c.AddRecord(len(payload))
	c.read(payload)
}

// Bounds points to where those of the entries of the next record are to be noted, for
// AddNoted: the entry of field i is between the i-th and the one after it.
func (c *Counter) Bounds() *[]uint32 { return &c.pack.next }

// AddNoted counts the record that begins in buf at start and ends with it. Its bounds
// are noted, as offsets in buf, and are equal where the record lacks an entry; the
// entries are spelled as protobuf writes them.
//
// The record may be kept until Flush or End: the memory must not change until then,
// and the next record stands behind it in that buf, or in a copy of it that has grown.
func (c *Counter) AddNoted(buf []byte, start int) {
	c.count.n++
	c.count.bytes += int64(len(buf) - start)
	if c.pack.add(buf, start) {
		c.Flush()
	}
}

// Flush counts the records that are kept.
func (c *Counter) Flush() {
	if c.pack.n > 0 {
		c.lanes.add(&c.pack)
		c.pack.reset()
	}
}

// AddJSON counts a record that is the JSON of a message.
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

// AddValue counts a record that is the one value of the one field.
func (c *Counter) AddValue(value []byte) {
	c.AddRecord(len(value))
	t := &c.fields[0]
	t.ones++
	var k textKey
	k.set(value)
	t.addText(&k)
}

// AddRecord counts a record of so many bytes, of which no values are counted.
func (c *Counter) AddRecord(size int) {
	c.count.n++
	c.count.bytes += int64(size)
}

// End adds all that was counted to the Summary, and empties the Counter; further records
// belong to the same Summary. Two of them may not End with one at the same time.
func (c *Counter) End() {
	c.Flush()
	s := c.to
	s.count.add(c.count)
	c.count = records{}
	for i := range c.fields {
		if t := &c.fields[i]; t.present() > 0 {
			t.moveTo(s.column(t.name, i, &t.shape))
		}
	}
	for _, t := range c.others {
		if t.present() > 0 {
			t.moveTo(s.column(t.name, -1, &t.shape))
		}
	}
	s.isCut = s.isCut || c.isCut
	s.cutKeys(2 * mostKeys)
	c.isCut = false
}

// cutKeys leaves out all but the first of the other keys.
func (c *Counter) cutKeys() {
	c.isCut = true
	slices.SortFunc(c.others, func(a, b *tally) int { return compareNames(a.name, b.name) })
	for _, t := range c.others[mostKeys:] {
		c.key(t.name).lists[t.list] = nil
	}
	clear(c.others[mostKeys:])
	c.others = c.others[:mostKeys]
	for _, keys := range []map[string]*key{c.keys, c.steps} {
		maps.DeleteFunc(keys, func(_ string, k *key) bool { return k.lists == [lists]*tally{} })
	}
	for _, keys := range []map[string]*key{c.keys, c.steps} {
		for _, k := range keys {
			k.next = nil
		}
	}
	c.last = &key{}
}

func (r *records) add(others records) {
	r.n += others.n
	r.bytes += others.bytes
	r.broken += others.broken
}
