// Package count counts the values of the records that a build writes, and finds content that is in
// two splits. It works per shard while the shard is written, so a run that resumes keeps the
// counts.
//
//	worker   record ─Add─► Counter, of one block
//	                          │ End
//	shard                  Tally, stored in a file next to the shard
//	                          │ Merge
//	split                  Tally ─► statistics.Document, number of leaking records
package count

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/pipeline/contents"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/statistics"
	"tfr-build/webdataset"
)

// A Counting defines what is counted for a dataset. It does not change.
type Counting struct {
	message    schema.Message
	layout     *statistics.Layout            // nil if values are not counted
	candidates []*statistics.Candidates      // by split of the plan
	entries    int                           // of a record
	leaks      bool                          // contents are compared
	keepsLeaks bool                          // contents are stored for a later version
	content    content                       // the part of a record that is compared
	key        int                           // entry with the key of a record, compared within a split; -1: none
	classes    func(*statistics.Feature) int // of a dataset that is kept, which may have fewer; else nil
	level      contents.Level                // of the records that are compared with all others, if values are counted
}

// New returns the counting that the config of a set requires, for the splits of a plan. It is nil
// if nothing is counted. The class names must be known.
func New(set *rows.Set, p *plan.Plan) (*Counting, error) {
	c := &Counting{message: set.Config.Message(), layout: layoutOf(set), leaks: set.Config.Checks != nil &&
		set.Config.Checks.Leakage != nil}
	entries := set.Sources[0].Schema.Entries() // all have the same keys
	c.entries = len(entries)
	c.key = slices.IndexFunc(entries, func(e schema.Entry) bool {
		return set.Framing.HasSamples &&
			e.Key == webdataset.KeyFeature
	})
	if c.layout == nil && !c.leaks && c.key < 0 {
		return nil, nil
	}
	if c.leaks {
		c.content, c.keepsLeaks = contentOf(set), set.Config.Checks.Leakage.KeepDigests
	}
	rows := 0
	for i := range p.Splits {
		rows += p.Splits[i].AllRows()
	}
	c.level = contents.LevelOf(rows)
	for i := range p.Splits {
		var candidates *statistics.Candidates
		if data := p.Splits[i].Candidates; c.layout != nil && len(data) > 0 {
			var err error
			if candidates, err = statistics.ParseCandidates(data); err != nil {
				return nil, fmt.Errorf("the plan's candidates of the split %s: %w", p.Splits[i].Name, err)
			}
		}
		c.candidates = append(c.candidates, candidates)
	}
	return c, nil
}

// Document returns the statistics of splits with their names; nil if values are not counted.
func (c *Counting) Document(names []string, tallies []*Accumulator) *statistics.Document {
	if c.layout == nil {
		return nil
	}
	splits := make([]statistics.SplitSummary, len(names))
	for i, name := range names {
		splits[i] = statistics.SplitSummary{Name: name, Summary: tallies[i].values}
	}
	return c.layout.Document(splits)
}

// Leaks returns, by split, the number of records whose content is also in another split. ok is
// false if contents are not compared.
func (c *Counting) Leaks(tallies []*Accumulator) (counts []int64, ok bool) {
	if !c.leaks {
		return nil, false
	}
	lists := make([][]*contents.List, len(tallies))
	for i, t := range tallies {
		lists[i] = t.contents
	}
	return contents.Shared(lists), true
}

// Twice returns the row IDs of two records with one key, by split. ok is false if all keys differ.
func (c *Counting) Twice(tallies []*Accumulator) (split int, first, second uint64, ok bool) {
	for i, t := range tallies {
		if first, second, ok = contents.Twice(t.keys); ok {
			return i, first, second, true
		}
	}
	return 0, 0, 0, false
}

// Equal returns how many records are equal to others. ok is false if values are not counted.
func (c *Counting) Equal(tallies []*Accumulator) (e contents.Equal, ok bool) {
	if c.layout == nil {
		return e, false
	}
	samples := make([]contents.Sample, len(tallies))
	for i, t := range tallies {
		samples[i] = t.sample
	}
	return contents.CountEqual(samples, c.level), true
}

// A Counter counts the records of one block. It must be used by one goroutine.
type Counter struct {
	of       *Counting
	to       *Accumulator
	values   *statistics.Counter
	contents contents.List
	keys     contents.Keys
	reader   contentReader
	Noted    *schema.Noted // where the encoder must note each record before Add
	images   [][]byte
	sampled  []uint64 // hashes of records
	counts   bool     // values are being counted

	// addValues counts a record, depending on its message.
	addValues func(values *statistics.Counter, buf []byte, start int)
}

// NewCounter returns a Counter.
func (c *Counting) NewCounter() *Counter {
	counter := &Counter{of: c, reader: contentReader{of: &c.content, record: c.message},
		addValues: chooseAdd(c.message), Noted: new(schema.Noted)}
	if c.layout != nil {
		counter.values = c.layout.NewCounter()
		counter.Noted = counter.values.Noted()
	}
	if len(c.content.images) > 0 || c.leaks && !c.content.payload || c.key >= 0 {
		counter.Noted.Bounds = make([]uint32, c.entries+1)
	}
	return counter
}

// Begin sets the tally of the shard that the next records belong to. Nothing is counted in it
// before End.
func (c *Counter) Begin(t *Accumulator) {
	c.to = t
	if c.values != nil {
		c.values.Begin(t.values)
	}
}

// Add counts the record in buf[start:], which the encoder has noted; hash is what Content.AddRecord returned, and row
// its row ID. The bytes of this and earlier records in buf must not change until Flush or End.
func (c *Counter) Add(buf []byte, start int, hash, row uint64) {
	if k := c.of.key; k >= 0 {
		c.keys.Add(buf[c.Noted.Bounds[k]:c.Noted.Bounds[k+1]], row)
	}
	if c.of.leaks {
		c.compare(buf, start)
	}
	if c.values != nil {
		if c.of.level.Has(hash) {
			c.sampled = append(c.sampled, hash)
		}
		c.counts = true
		c.addValues(c.values, buf, start)
		c.counts = false
	}
}

// NameFile makes a panic while values are counted name the file of the statistics. Defer it around calls of Add: one
// in each call takes 1 % of the time of a table.
func (c *Counter) NameFile() {
	if !c.counts {
		return
	}
	if r := recover(); r != nil {
		panic(&dataset.FileError{File: dataset.StatisticsName, Without: "statistics: false", Err: bug.Of(r, "")})
	}
}

// chooseAdd returns how the records of a message are counted.
func chooseAdd(m schema.Message) func(values *statistics.Counter, buf []byte, start int) {
	switch {
	case m.HasBounds():
		return (*statistics.Counter).AddNoted
	case m.IsColumn():
		return func(values *statistics.Counter, buf []byte, start int) { values.AddValue(buf[start:]) }
	case m.IsObject():
		return func(values *statistics.Counter, buf []byte, start int) { values.AddRecord(len(buf) - start) }
	case m.Payload() == schema.JSONPayload:
		return func(values *statistics.Counter, buf []byte, start int) { values.AddJSON(buf[start:]) }
	}
	return func(values *statistics.Counter, buf []byte, start int) { values.Add(buf[start:]) }
}

// compare adds the contents of a record.
func (c *Counter) compare(buf []byte, start int) {
	bounds := c.Noted.Bounds
	c.images = c.images[:0]
	for _, i := range c.of.content.images {
		if begin, end := bounds[i], bounds[i+1]; begin < end {
			c.images = append(c.images, buf[begin:end])
		}
	}
	c.contents.Add(c.reader.read(buf, start, bounds), c.images...)
}

// Flush counts the records that Add has only referenced so far.
func (c *Counter) Flush() {
	if c.values != nil {
		defer c.NameFile()
		c.counts = true
		c.values.Flush()
		c.counts = false
	}
}

// End moves the counts to the tally, and empties the Counter.
func (c *Counter) End() {
	if c.of.key >= 0 {
		c.keys.MoveTo(&c.to.keys[0])
	}
	if c.of.leaks {
		c.contents.MoveTo(c.to.contents[0])
	}
	if c.values != nil {
		for _, hash := range c.sampled {
			c.to.sample[hash]++
		}
		c.sampled = c.sampled[:0]
		defer c.NameFile()
		c.counts = true
		c.values.End()
		c.counts = false
	}
}

// A Accumulator has the counts of the records of a shard or a split.
type Accumulator struct {
	values   *statistics.Summary
	sample   contents.Sample  // nil if values are not counted
	contents []*contents.List // of each shard
	keys     []contents.Keys  // of each shard; empty if keys are not compared
}

// NewShard returns an empty tally for a shard of so many records of a split.
func (c *Counting) NewShard(split *Accumulator, records int) *Accumulator {
	t := &Accumulator{}
	if c.layout != nil {
		t.values, t.sample = split.values.NewPart(), contents.Sample{}
	}
	if c.leaks {
		t.contents = []*contents.List{contents.NewList(records)}
	}
	if c.key >= 0 {
		t.keys = []contents.Keys{make(contents.Keys, 0, records)}
	}
	return t
}

// NewSplit returns an empty tally for a split of the plan.
func (c *Counting) NewSplit(split int) *Accumulator {
	t := &Accumulator{}
	if c.layout != nil {
		t.values, t.sample = c.layout.NewSummary(c.candidates[split]), contents.Sample{}
	}
	return t
}

// Merge adds the tally of a shard to the tally of its split. The tally of the shard must not be
// used afterwards.
func (t *Accumulator) Merge(shard *Accumulator) {
	if shard.values != nil {
		t.values.Merge(shard.values)
		t.sample.Merge(shard.sample)
	}
	t.contents = append(t.contents, shard.contents...)
	t.keys = append(t.keys, shard.keys...)
}

// Append appends the tally of a shard in its stored form:
//
//	n  summary of n bytes   n has 8 bytes; 0 if values are not counted
//	sample                  if values are counted
//	keys                    if keys are compared
//	contents                if contents are compared
func (t *Accumulator) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, lengthBytes)...)
	if t.values != nil {
		dst = t.values.AppendBinary(dst)
		binary.LittleEndian.PutUint64(dst[start:], uint64(len(dst)-start-lengthBytes))
		dst = t.sample.Append(dst)
	}
	for _, k := range t.keys {
		dst = k.Append(dst)
	}
	for _, l := range t.contents {
		dst = l.Append(dst)
	}
	return dst
}

const lengthBytes = 8

var errStored = errors.New("what was counted of it is damaged, or of other things")

// AppendSplit appends what a dataset stores of a split, for a build that keeps its shards.
func (c *Counting) AppendSplit(dst []byte, t *Accumulator) []byte {
	return (&Accumulator{values: t.values, sample: t.sample}).Append(dst)
}

// ParseSplit reads the result of AppendSplit. classes returns how many classes a feature had.
func (c *Counting) ParseSplit(split int, data []byte, classes func(f *statistics.Feature) int) (*Accumulator, error) {
	fewer := Counting{layout: c.layout, candidates: c.candidates, key: -1, classes: classes}
	t, err := fewer.Parse(split, data)
	if err == nil {
		maps.DeleteFunc(t.sample, func(hash uint64, _ int64) bool { return !c.level.Has(hash) })
	}
	return t, err
}

// KeepsRecords reports whether AppendRecords stores something.
func (c *Counting) KeepsRecords() bool { return c != nil && (c.key >= 0 || c.keepsLeaks) }

// AppendRecords appends what the records of a split are compared by, for a later version that has more of them: their
// keys, and then their contents.
func (c *Counting) AppendRecords(dst []byte, t *Accumulator) []byte {
	if c.key >= 0 {
		dst = contents.Sorted(t.keys).Append(dst)
	}
	if c.keepsLeaks {
		dst = contents.AppendSplit(dst, t.contents)
	}
	return dst
}

// ParseRecords reads the result of AppendRecords.
func (c *Counting) ParseRecords(data []byte) (t *Accumulator, err error) {
	t = &Accumulator{}
	if c.key >= 0 {
		t.keys = make([]contents.Keys, 1)
		t.keys[0], data, err = contents.ParseKeys(data)
	}
	if c.leaks && err == nil { // the base may have contents that the config does not compare
		t.contents, err = contents.ParseSplit(data)
	}
	return t, err
}

// Parse reads a stored tally of a shard.
func (c *Counting) Parse(split int, data []byte) (*Accumulator, error) {
	t := &Accumulator{}
	if len(data) < lengthBytes {
		return nil, errStored
	}
	n := binary.LittleEndian.Uint64(data)
	if data = data[lengthBytes:]; n > uint64(len(data)) {
		return nil, errStored
	}
	if c.layout != nil {
		var err error
		if c.classes != nil {
			t.values, err = c.layout.ParseFewer(data[:n], c.candidates[split], c.classes)
		} else {
			t.values, err = c.layout.ParseSummary(data[:n], c.candidates[split])
		}
		if err != nil {
			return nil, err
		}
	}
	data = data[n:] // a stopped build may have counted values that are not needed now
	if n > 0 {
		sample, rest, err := contents.ParseSample(data)
		if err != nil {
			return nil, err
		}
		if data = rest; c.layout != nil {
			t.sample = sample
		}
	}
	if c.key >= 0 {
		keys, rest, err := contents.ParseKeys(data)
		if err != nil {
			return nil, err
		}
		t.keys, data = []contents.Keys{keys}, rest
	}
	switch {
	case c.leaks:
		l, err := contents.Parse(data)
		t.contents = []*contents.List{&l}
		return t, err
	case len(data) > 0:
		return nil, errStored
	}
	return t, nil
}
