package statistics

import (
	"cmp"
	"maps"
	"slices"

	"tfr-build/internal/bug"
	"tfr-build/schema"
)

// A SplitSummary is a split with its Summary.
type SplitSummary struct {
	Name    string
	Summary *Summary
}

// Document computes the statistics of a dataset from the summaries of its splits.
func (l *Layout) Document(splits []SplitSummary) *Document {
	d := &Document{Format: DocumentFormat, Record: schema.MessageOfKind(l.kind).Word(), Splits: []Split{},
		Features: []Feature{}}
	for _, s := range splits {
		s.Summary.trimKeys(maxKeys)
		c := s.Summary.count
		d.Splits = append(d.Splits, Split{Name: s.Name, Records: c.n, Bytes: c.bytes, Broken: c.broken,
			MoreKeys: s.Summary.hasMoreKeys})
	}
	for _, f := range l.featureBuilders(splits) {
		d.Features = append(d.Features, f.build(splits))
	}
	return d
}

// A featureBuilder computes the Feature of one key.
type featureBuilder struct {
	layout     *Layout
	field      Feature
	name       name
	isKnown    bool
	columns    []*column           // by split; nil for a split without values
	others     []int64             // by split: records that have the key in another type of list
	candidates []*columnCandidates // by split
	finished   []finishedColumn    // by split
}

// featureBuilders returns one builder per key, sorted by key. Feature lists come last.
func (l *Layout) featureBuilders(splits []SplitSummary) []*featureBuilder {
	all := map[name]*featureBuilder{} // by name without a list
	for i, field := range l.fields {
		n := l.fieldName(i)
		f := &featureBuilder{layout: l, field: field, name: n, isKnown: true, columns: make([]*column, len(splits)),
			others: make([]int64, len(splits))}
		for at, s := range splits {
			f.columns[at] = s.Summary.fields[i]
		}
		all[name{key: n.key, steps: n.steps}] = f
	}
	for key, lists := range otherLists(splits) {
		f := all[key]
		if f == nil {
			f = l.unknownKey(key, lists, splits)
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
	builders := slices.SortedFunc(maps.Values(all), func(a, b *featureBuilder) int {
		return compareNames(a.name, b.name)
	})
	for _, f := range builders {
		for _, s := range splits {
			f.candidates = append(f.candidates, s.Summary.candidates.forColumn(f.name))
		}
	}
	return builders
}

// otherLists returns the lists of the columns outside the layout, by key.
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

// unknownKey returns the builder of a key outside the layout. The feature has the type of list
// that most records have; a tie goes to the first type. Records without a list count as records
// without values.
func (l *Layout) unknownKey(key name, of []list, splits []SplitSummary) *featureBuilder {
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
	f := &featureBuilder{layout: l, name: n, others: make([]int64, len(splits)), columns: make([]*column, len(splits))}
	f.field = Feature{Key: n.key, List: listNames[best], Steps: n.steps, Kind: Number}
	for at, s := range splits {
		c := s.Summary.others[n]
		if none := s.Summary.others[name{key: key.key, steps: key.steps}]; none != nil && best != noList {
			both := &column{shape: l.unknownShape(best)}
			if c != nil {
				*both = *c
			}
			both.singleValued += none.singleValued
			both.lengths.merge(none.lengths)
			c = both
		}
		f.columns[at] = c
	}
	return f
}

// A finishedColumn is a column with a sketch of all values, and with the exact values if the
// column is small.
type finishedColumn struct {
	sketch    *sketch
	intervals []interval // of the numbers, sorted
	exact     []counted  // sorted; nil if the column is wide
	isExact   bool
}

// counted is a number with its count.
type counted struct {
	key uint64
	n   int64
}

// finish returns the finished column.
func (c *column) finish(candidates *columnCandidates) finishedColumn {
	e := finishedColumn{sketch: c.newSketch(), isExact: c.wide == nil}
	if c.wide != nil {
		e.sketch.merge(c.wide)
	} else {
		c.addTablesTo(e.sketch, candidates)
	}
	for _, class := range c.classes.nonZero {
		e.sketch.numbers.addInt(c.firstClass+int64(class), c.classes.of(class))
	}
	e.intervals = e.sketch.numbers.intervals()
	if e.isExact {
		e.exact = c.values()
	}
	return e
}

// values returns the numbers of a column, or the sizes of its strings, sorted.
func (c *column) values() []counted {
	counts := map[uint64]int64{}
	for _, slot := range c.numbers.slots {
		if slot.n > 0 {
			counts[slot.key] += slot.n
		}
	}
	for _, slot := range c.strings.slots {
		if slot.n > 0 {
			counts[uint64(slot.size)] += slot.n
		}
	}
	for _, class := range c.classes.nonZero {
		counts[uint64(c.firstClass+int64(class))] += c.classes.of(class)
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

// build computes the Feature of the key.
func (f *featureBuilder) build(splits []SplitSummary) Feature {
	defer bug.Name(f.name.key)
	for i, c := range f.columns {
		if c == nil {
			c = &column{shape: f.layout.unknownShape(f.name.list)}
			if f.isKnown {
				c.shape = f.layout.shapeOf(&f.field)
			}
			f.columns[i] = c
		}
		f.finished = append(f.finished, c.finish(f.candidates[i]))
	}
	if f.name.list == bytesList && (!f.isKnown || f.field.Kind == "") {
		f.field.Kind = f.guessKind()
	}
	feature := f.field
	feature.Splits = []Values{}
	for i, s := range splits {
		feature.Splits = append(feature.Splits, f.values(i, s.Summary.count.n))
	}
	f.addHistograms(feature.Splits)
	return feature
}

// guessKind returns the kind of byte strings that the layout does not know. It is Image if all
// strings that are not empty begin with the signature of an image. Otherwise it is Text if all
// are UTF-8, and Bytes if not.
func (f *featureBuilder) guessKind() Kind {
	var values, maybeImage, notUTF8 int64
	for i, e := range f.finished {
		values += f.columns[i].count() - e.sketch.numbers.zeros
		maybeImage += e.sketch.images.withSignature
		notUTF8 += e.sketch.notUTF8
	}
	switch {
	case maybeImage > 0 && maybeImage == values:
		return Image
	case notUTF8 > 0:
		return Bytes
	}
	return Text
}

// count returns the number of values.
func (c *column) count() int64 { return c.singleValued + c.lengths.values }

// values computes the Values of a split.
func (f *featureBuilder) values(split int, records int64) Values {
	c, e := f.columns[split], &f.finished[split]
	v := Values{Present: c.present(), Others: f.others[split], Count: c.count()}
	v.Missing = max(0, records-v.Present-v.Others)
	lengths := c.lengths
	if c.singleValued > 0 {
		lengths.merge(lengthStats{c.singleValued, c.singleValued, 1, 1})
	}
	v.Least, v.Most = lengths.least, lengths.most
	v.Distinct = int64(len(c.classes.nonZero) + c.numbers.used + len(c.strings.slots))
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
		f.addClassCounts(c, &v)
	case Image:
		v.Images = e.sketch.images.figures()
	case Text, Bytes:
		v.NotUTF8 = e.sketch.notUTF8
	}
	f.addTop(split, &v)
	return v
}

// addClassCounts sets the count of each class.
func (f *featureBuilder) addClassCounts(c *column, v *Values) {
	v.ByClass = make([]int64, len(f.field.Classes))
	v.Unknown = v.Count
	for _, class := range c.classes.nonZero {
		n := c.classes.of(class)
		v.ByClass[class] = n
		v.Unknown -= n
	}
}

// ranked is a value that may be among the most frequent values.
type ranked struct {
	order int // among the values
	n     int64
	text  func() (value string, cut bool)
}

// addTop sets the most frequent values of a split.
func (f *featureBuilder) addTop(split int, v *Values) {
	c := f.columns[split]
	if f.field.Kind == Image {
		return
	}
	v.Other = v.Count
	var all []ranked
	switch {
	case f.field.Kind == Class && c.classCount > 0:
		all = f.rankClasses(c)
	case !f.layout.values:
	case c.wide == nil:
		all = c.rank(&c.strings, &c.numbers, func(n int64) int64 { return n })
	case c.wide.candidateCounts != nil:
		k := f.candidates[split]
		all = c.rank(&k.strings, &k.numbers, func(n int64) int64 { return c.wide.candidateCounts[n-1] })
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.order, b.order)) })
	for _, r := range all[:min(len(all), f.layout.top)] {
		value, isTruncated := r.text()
		v.Top = append(v.Top, Top{Value: value, Cut: isTruncated, Count: r.n})
		v.Other -= r.n
	}
}

func (f *featureBuilder) rankClasses(c *column) (all []ranked) {
	for _, class := range c.classes.nonZero {
		all = append(all, ranked{int(class), c.classes.of(class), func() (string, bool) {
			return formatString([]byte(f.field.Classes[class]))
		}})
	}
	return all
}

// rank returns the values of a table that occur. count is the number of a value with that number in the table.
func (c *column) rank(strings *stringTable, numbers *numberTable, count func(n int64) int64) (all []ranked) {
	add := func(order int, n int64, text func() (string, bool)) {
		if n = count(n); n > 0 {
			all = append(all, ranked{order, n, text})
		}
	}
	if c.list == bytesList {
		for i, slot := range strings.sorted() {
			add(i, slot.n, func() (string, bool) { return formatString(strings.text(slot)) })
		}
		return all
	}
	slots := numbers.sorted()
	slices.SortFunc(slots, func(a, b numberSlot) int { return c.compare(a.key, b.key) })
	for i, slot := range slots {
		add(i, slot.n, func() (string, bool) { return c.format(slot.key), false })
	}
	return all
}
