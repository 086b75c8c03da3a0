package statistics

import (
	"cmp"
	"maps"
	"slices"

	"tfr-build/message"
)

// A SplitSummary is what was counted of a split.
type SplitSummary struct {
	Name    string
	Summary *Summary
}

// recordWords are the messages as a config has them.
var recordWords = [...]string{message.None: "bytes", message.Example: "example", message.SequenceExample: "sequence", message.OFRecord: "ofrecord"}

// Document makes the statistics of a dataset of what was counted.
func (l *Layout) Document(splits []SplitSummary) *Document {
	d := &Document{Format: DocumentFormat, Record: recordWords[l.kind], Splits: []Split{}, Features: []Feature{}}
	for _, s := range splits {
		s.Summary.cutKeys(mostKeys)
		c := s.Summary.count
		d.Splits = append(d.Splits, Split{Name: s.Name, Records: c.n, Bytes: c.bytes, Broken: c.broken, MoreKeys: s.Summary.isCut})
	}
	for _, f := range l.finishers(splits) {
		d.Features = append(d.Features, f.feature(splits))
	}
	return d
}

// A finisher makes the Feature of one key.
type finisher struct {
	layout  *Layout
	field   Field
	name    name
	isKnown bool
	columns []*column     // by split, nil where nothing was counted
	others  []int64       // by split: records that have the key in another list
	of      []*candidates // by split
	ends    []ending      // by split
}

// finishers are those of all keys, in order; those of feature lists come last.
func (l *Layout) finishers(splits []SplitSummary) []*finisher {
	all := map[name]*finisher{} // without lists
	for i, field := range l.fields {
		n := l.fieldName(i)
		f := &finisher{layout: l, field: field, name: n, isKnown: true, columns: make([]*column, len(splits)), others: make([]int64, len(splits))}
		for at, s := range splits {
			f.columns[at] = s.Summary.fields[i]
		}
		all[name{key: n.key, steps: n.steps}] = f
	}
	for key, lists := range otherLists(splits) {
		f := all[key]
		if f == nil {
			f = l.unknown(key, lists, splits)
			all[key] = f
		}
		for at, s := range splits {
			for _, of := range lists {
				n := name{key.key, key.steps, of}
				if c := s.Summary.others[n]; c != nil && of != f.name.list && of != noList {
					f.others[at] += c.present()
				}
			}
		}
	}
	finishers := slices.SortedFunc(maps.Values(all), func(a, b *finisher) int { return compareNames(a.name, b.name) })
	for _, f := range finishers {
		for _, s := range splits {
			f.of = append(f.of, s.Summary.candidates.forColumn(f.name))
		}
	}
	return finishers
}

// otherLists are the lists of the columns that no field has, by their keys.
func otherLists(splits []SplitSummary) map[name][]list {
	found := map[name][]list{}
	for _, s := range splits {
		for n := range s.Summary.others {
			key := name{key: n.key, steps: n.steps}
			if !slices.Contains(found[key], n.list) {
				found[key] = append(found[key], n.list)
			}
		}
	}
	return found
}

// unknown finishes a key that has no field: in the list that most of its records
// have, of equally many the first. Records in which it has no list have it without
// values.
func (l *Layout) unknown(key name, of []list, splits []SplitSummary) *finisher {
	slices.Sort(of)
	best, most := noList, int64(-1)
	for _, candidate := range of {
		n := int64(0)
		for _, s := range splits {
			if c := s.Summary.others[name{key.key, key.steps, candidate}]; c != nil {
				n += c.present()
			}
		}
		if best == noList || n > most {
			best, most = candidate, n
		}
	}
	n := name{key.key, key.steps, best}
	f := &finisher{layout: l, name: n, others: make([]int64, len(splits)), columns: make([]*column, len(splits))}
	f.field = Field{Key: n.key, List: listNames[best], Steps: n.steps, Kind: Number}
	for at, s := range splits {
		c := s.Summary.others[n]
		if none := s.Summary.others[name{key: key.key, steps: key.steps}]; none != nil && best != noList {
			both := &column{shape: unknownShape(best)}
			if c != nil {
				*both = *c
			}
			both.ones += none.ones
			both.records.merge(none.records)
			c = both
		}
		f.columns[at] = c
	}
	return f
}

// An ending is a column whose figures are known: a sketch of all its values, and
// the values themselves where they were counted one by one.
type ending struct {
	sketch  *sketch
	parts   []part    // of the numbers, in order
	exact   []counted // numbers in order; nil where there are too many
	isExact bool
}

// counted is a number and how often it occurs.
type counted struct {
	key uint64
	n   int64
}

// end finishes a column.
func (c *column) end(of *candidates) ending {
	e := ending{sketch: c.newSketch(), isExact: c.wide == nil}
	if c.wide != nil {
		e.sketch.merge(c.wide)
	} else {
		c.pour(e.sketch, of)
	}
	for _, class := range c.classes.touched {
		e.sketch.numbers.addInt(c.first+int64(class), c.classes.of(class))
	}
	e.parts = e.sketch.numbers.sorted()
	if e.isExact {
		e.exact = c.values()
	}
	return e
}

// values are the numbers of a column, or the sizes of its texts, in order.
func (c *column) values() []counted {
	counts := map[uint64]int64{}
	for _, slot := range c.numbers.slots {
		if slot.n > 0 {
			counts[slot.key] += slot.n
		}
	}
	for _, slot := range c.texts.slots {
		if slot.n > 0 {
			counts[uint64(slot.size)] += slot.n
		}
	}
	for _, class := range c.classes.touched {
		counts[uint64(c.first+int64(class))] += c.classes.of(class)
	}
	all := make([]counted, 0, len(counts))
	for key, n := range counts {
		if !c.isFloat() || isFinite(c.float(key)) {
			all = append(all, counted{key, n})
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return c.compare(a.key, b.key) })
	return all
}

// feature makes the Feature of the key.
func (f *finisher) feature(splits []SplitSummary) Feature {
	for i, c := range f.columns {
		if c == nil {
			c = &column{shape: unknownShape(f.name.list)}
			if f.isKnown {
				c.shape = shapeOf(&f.field)
			}
			f.columns[i] = c
		}
		f.ends = append(f.ends, c.end(f.of[i]))
	}
	if f.name.list == bytesList && (!f.isKnown || f.field.Kind == "") {
		f.field.Kind = f.kind()
	}
	feature := Feature{
		Key: f.field.Key, List: f.field.List, Kind: f.field.Kind, Steps: f.field.Steps,
		First: f.field.First, Classes: f.field.Classes, Splits: []Values{},
	}
	for i, s := range splits {
		feature.Splits = append(feature.Splits, f.values(i, s.Summary.count.n))
	}
	f.histograms(feature.Splits)
	return feature
}

// kind is what bytes are of which nothing was known before: images, if all begin
// as one, and texts, if all are UTF-8.
func (f *finisher) kind() Kind {
	var values, begun, notUTF8 int64
	for i, e := range f.ends {
		values += f.columns[i].count() - e.sketch.numbers.zeros
		begun += e.sketch.images.begun
		notUTF8 += e.sketch.notUTF8
	}
	switch {
	case begun > 0 && begun == values:
		return Image
	case notUTF8 > 0:
		return Bytes
	}
	return Text
}

// count is how many values there are.
func (c *column) count() int64 { return c.ones + c.records.values }

// values makes the Values of a split.
func (f *finisher) values(split int, records int64) Values {
	c, e := f.columns[split], &f.ends[split]
	v := Values{Present: c.present(), Others: f.others[split], Count: c.count()}
	v.Missing = max(0, records-v.Present-v.Others)
	of := c.records
	if c.ones > 0 {
		of.merge(lengths{c.ones, c.ones, 1, 1})
	}
	v.Least, v.Most = of.least, of.most
	v.Distinct = int64(len(c.classes.touched) + c.numbers.used + len(c.texts.slots))
	if c.wide != nil {
		v.Estimated = true
		v.Distinct += c.wide.distinct.estimate()
	}
	switch f.field.Kind {
	case Number, Class:
		v.Numbers = e.numbers()
	default:
		v.Sizes = e.numbers()
		v.Empty = e.sketch.numbers.zeros
	}
	switch f.field.Kind {
	case Class:
		f.classes(c, &v)
	case Image:
		v.Images = e.sketch.images.finish()
	case Text, Bytes:
		v.NotUTF8 = e.sketch.notUTF8
	}
	f.top(split, &v)
	return v
}

// classes are how often each class occurs.
func (f *finisher) classes(c *column, v *Values) {
	v.ByClass = make([]int64, len(f.field.Classes))
	v.Unknown = v.Count
	for _, class := range c.classes.touched {
		n := c.classes.of(class)
		v.ByClass[class] = n
		v.Unknown -= n
	}
}

// ranked is a value that may be one of the most frequent.
type ranked struct {
	place int // in the order of the values
	n     int64
	text  func() (value string, cut bool)
}

// top are the most frequent values of a split.
func (f *finisher) top(split int, v *Values) {
	c := f.columns[split]
	if f.field.Kind == Image {
		return
	}
	v.Other = v.Count
	var all []ranked
	switch {
	case f.field.Kind == Class && c.many > 0:
		all = f.rankClasses(c)
	case !f.layout.values:
	case c.wide == nil:
		all = c.rank()
	case c.wide.candidates != nil:
		all = c.rankCandidates(f.of[split])
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.place, b.place)) })
	for _, r := range all[:min(len(all), f.layout.top)] {
		value, isCut := r.text()
		v.Top = append(v.Top, Top{Value: value, Cut: isCut, Count: r.n})
		v.Other -= r.n
	}
}

func (f *finisher) rankClasses(c *column) (all []ranked) {
	for _, class := range c.classes.touched {
		all = append(all, ranked{int(class), c.classes.of(class), func() (string, bool) {
			return showText([]byte(f.field.Classes[class]))
		}})
	}
	return all
}

// rank are the values of the table.
func (c *column) rank() (all []ranked) {
	if c.list == bytesList {
		for i, slot := range c.texts.sorted() {
			all = append(all, ranked{i, slot.n, func() (string, bool) { return showText(c.texts.text(slot)) }})
		}
		return all
	}
	slots := c.numbers.sorted()
	slices.SortFunc(slots, func(a, b numberSlot) int { return c.compare(a.key, b.key) })
	for i, slot := range slots {
		all = append(all, ranked{i, slot.n, func() (string, bool) { return c.show(slot.key), false }})
	}
	return all
}

// rankCandidates are the candidates that occur.
func (c *column) rankCandidates(of *candidates) (all []ranked) {
	if c.list == bytesList {
		places := of.texts.sorted()
		for i, slot := range places {
			if n := c.wide.candidates[slot.n-1]; n > 0 {
				all = append(all, ranked{i, n, func() (string, bool) { return showText(of.texts.text(slot)) }})
			}
		}
		return all
	}
	slots := of.numbers.sorted()
	slices.SortFunc(slots, func(a, b numberSlot) int { return c.compare(a.key, b.key) })
	for i, slot := range slots {
		if n := c.wide.candidates[slot.n-1]; n > 0 {
			all = append(all, ranked{i, n, func() (string, bool) { return c.show(slot.key), false }})
		}
	}
	return all
}
