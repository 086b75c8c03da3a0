package rows

import (
	"slices"
	"sync"

	"tfr-build/internal/nameset"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// A Vocabulary collects the class names of the features with `classes: auto` from all valid rows.
// The collectors of several goroutines share it.
type Vocabulary struct {
	set      *Set
	features []*config.Feature
	texts    []textSet // by feature
}

// A textSet is a set of strings.
type textSet struct {
	mu    sync.Mutex
	texts nameset.Set
	size  int // of all strings, in bytes
}

// NewVocabulary returns an empty vocabulary.
func (s *Set) NewVocabulary() *Vocabulary {
	v := &Vocabulary{set: s, features: s.Classes.Auto()}
	v.texts = make([]textSet, len(v.features))
	for i, f := range v.features {
		for _, name := range s.classesBefore(f.Key) {
			v.texts[i].add([]byte(name)) // as many as were collected before
		}
	}
	return v
}

// Names returns the sorted class names by feature. If a feature has no names, lacking is that
// feature and names is nil.
func (v *Vocabulary) Names() (names map[string][]string, lacking *config.Feature) {
	names = v.Collected()
	for _, f := range v.features {
		if len(names[f.Key]) == 0 {
			return nil, f
		}
	}
	return names, nil
}

// classesBefore returns the class names of the dataset that rows are appended to; nil without one.
func (s *Set) classesBefore(key string) []string {
	if s.before == nil {
		return nil
	}
	return s.before.Classes[key]
}

// Collected returns the class names found until now, by feature; lists may be empty. Names of the dataset that
// rows are appended to keep their numbers; others are sorted, behind them.
func (v *Vocabulary) Collected() map[string][]string {
	names := map[string][]string{}
	for i, f := range v.features {
		list := v.texts[i].texts.Names()
		// Short windows are filled with it, so that it needs a number even if no row has it.
		if pad, fills := v.padOf(f); fills && len(list) > 0 && !slices.Contains(list, pad) {
			list = append(list, pad)
		}
		before := v.set.classesBefore(f.Key)
		slices.Sort(list)
		if len(before) > 0 {
			known := map[string]bool{}
			for _, name := range before {
				known[name] = true
			}
			list = slices.DeleteFunc(list, func(name string) bool { return known[name] })
		}
		names[f.Key] = slices.Concat(before, list)
	}
	return names
}

// padOf returns the name with which short windows of a feature are filled; fills is false if they are not.
func (v *Vocabulary) padOf(f *config.Feature) (pad string, fills bool) {
	value := f.PadValue()
	if !f.EachRow || value == nil || !v.set.Config.Group.Pads() {
		return "", false
	}
	text, fills := value.AsText(nil)
	return string(text), fills
}

// Add adds the names that Collected returned for other rows.
func (v *Vocabulary) Add(names map[string][]string) error {
	for i, f := range v.features {
		for _, name := range names[f.Key] {
			if v.texts[i].add([]byte(name)) {
				return v.tooMany(i)
			}
		}
	}
	return nil
}

// tooMany returns the error of a feature with too many names.
func (v *Vocabulary) tooMany(i int) error {
	at := v.features[i].At + ".classes"
	if v.texts[i].texts.Len() > maxClasses {
		return v.set.Config.Problem(at, "auto: more than %d names", maxClasses)
	}
	return v.set.Config.Problem(at, "auto: more than %d bytes of names", maxClassText)
}

// add adds a string. It reports whether the set is now too large.
func (s *textSet) add(text []byte) (full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, added := s.texts.Add(text); added {
		s.size += len(text)
	}
	return s.texts.Len() > maxClasses || s.size > maxClassText
}

// A Collector adds the names of rows to a vocabulary. One goroutine may use it at a time.
type Collector struct {
	v          *Vocabulary
	readers    []*sources.Reader
	readsSplit bool                 // any of the readers
	features   [][]collectedFeature // by source
	vals       []schema.Value
}

// A collectedFeature is a feature with `classes: auto`, for one source.
type collectedFeature struct {
	*schema.ClassCollector
	slots []int           // of its columns, in the reader's values
	known map[string]bool // some of the strings that this goroutine added, to avoid the lock
}

// Limits of the strings that a goroutine remembers: their number, and the bytes of each.
const (
	maxKnown     = 4096
	maxKnownText = 256
)

// NewCollector returns a collector, which reads only the columns of these features. Close it.
func (v *Vocabulary) NewCollector() (*Collector, error) {
	c := &Collector{v: v}
	for _, src := range v.set.Sources {
		if err := c.add(src); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

func (c *Collector) add(src *Source) error {
	var columns column.Slots[schema.Column]
	var features []collectedFeature
	for _, f := range c.v.features {
		cc, err := schema.NewClassCollector(f.CompileRow(src.nullsOf(f)), f.IsSequence && !f.EachRow)
		if err != nil {
			return c.v.set.Config.Problem(f.At, "%v", err)
		}
		of := collectedFeature{ClassCollector: cc, known: map[string]bool{}}
		for _, c := range cc.Columns() {
			of.slots = append(of.slots, columns.Of(c))
		}
		features = append(features, of)
	}
	layout, err := src.Bind(columns.Columns())
	if err != nil {
		return err
	}
	layout.NamesOnly()
	c.readsSplit = c.readsSplit || layout.ReadsSplit()
	c.readers, c.features = append(c.readers, layout.NewReader()), append(c.features, features)
	return nil
}

// Close closes the files that the readers have open.
func (c *Collector) Close() {
	for _, r := range c.readers {
		r.Close()
	}
}

// Prefetch loads the memory that Collect will read of a row without text.
func (c *Collector) Prefetch(r *Row) {
	if r.Data == nil {
		f := &c.v.set.files[r.File]
		c.readers[f.source.Number].PrefetchMemory(f.local, r.Offset)
	}
}

// Collect adds the names in a row, whose split must be set. An invalid row is skipped: the build
// rejects it when it is written.
func (c *Collector) Collect(r *Row) error {
	if r.Bad != "" {
		return nil
	}
	f := &c.v.set.files[r.File]
	reader := c.readers[f.source.Number]
	if c.readsSplit { // else all goroutines would lock the names of splits for each row
		reader.SetSplit(c.v.set.Splits.Name(r.Split))
	}
	vals, err := reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		return ignoreInvalid(err)
	}
	for i, of := range c.features[f.source.Number] {
		c.vals = c.vals[:0]
		for _, slot := range of.slots {
			c.vals = append(c.vals, vals[slot])
		}
		full := false
		of.Collect(c.vals, func(text []byte) {
			if of.known[string(text)] {
				return
			}
			if len(of.known) < maxKnown && len(text) <= maxKnownText {
				of.known[string(text)] = true
			}
			full = c.v.texts[i].add(text) || full
		})
		if full {
			return c.v.tooMany(i)
		}
	}
	return nil
}
