package rows

import (
	"errors"
	"slices"
	"sync"

	"tfr-build/internal/nameset"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// A Vocabulary collects the names of the features with `classes: auto`, from all
// rows that can be read. Collectors of several goroutines share it.
type Vocabulary struct {
	set      *Set
	features []*config.Feature
	texts    []textSet // by feature
}

// A textSet is a set of texts.
type textSet struct {
	mu    sync.Mutex
	texts nameset.Set
	size  int // bytes of them
}

// NewVocabulary returns a vocabulary without names.
func (s *Set) NewVocabulary() *Vocabulary {
	v := &Vocabulary{set: s, features: s.Classes.Auto()}
	v.texts = make([]textSet, len(v.features))
	return v
}

// Names are the sorted names, by feature. lacking is a feature that has none; nil
// where all have.
func (v *Vocabulary) Names() (names map[string][]string, lacking *config.Feature) {
	names = v.Collected()
	for _, f := range v.features {
		if len(names[f.Key]) == 0 {
			return nil, f
		}
	}
	return names, nil
}

// Collected are the sorted names that there are so far, by feature: of some there may
// be none.
func (v *Vocabulary) Collected() map[string][]string {
	names := map[string][]string{}
	for i, f := range v.features {
		names[f.Key] = slices.Sorted(slices.Values(v.texts[i].texts.Names()))
	}
	return names
}

// Add adds what was Collected of other rows.
func (v *Vocabulary) Add(names map[string][]string) error {
	for i, f := range v.features {
		for _, name := range names[f.Key] {
			if v.texts[i].add([]byte(name)) {
				return v.full(i)
			}
		}
	}
	return nil
}

// full is the fault of a feature with too many names.
func (v *Vocabulary) full(i int) error {
	at := v.features[i].At + ".classes"
	if v.texts[i].texts.Len() > maxClasses {
		return v.set.Config.Problem(at, "auto: more than %d names", maxClasses)
	}
	return v.set.Config.Problem(at, "auto: more than %d bytes of names", maxClassText)
}

// add adds a text; it reports whether there are too many.
func (s *textSet) add(text []byte) (full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, added := s.texts.Add(text); added {
		s.size += len(text)
	}
	return s.texts.Len() > maxClasses || s.size > maxClassText
}

// A Collector is one goroutine's share of a vocabulary.
type Collector struct {
	v        *Vocabulary
	readers  []*sources.Reader
	features [][]collected // by source
	vals     []schema.Value
}

// A collected is a feature whose names are collected, for one source.
type collected struct {
	*schema.ClassCollector
	slots []int           // of its columns
	known map[string]bool // some of the texts that this goroutine has seen: others ask all
}

// maxKnown is how many texts, and how long ones, a goroutine remembers.
const (
	maxKnown     = 4096
	maxKnownText = 256
)

// NewCollector returns a collector that reads the columns that are needed, and no
// more.
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
	var features []collected
	for _, f := range c.v.features {
		cc, err := schema.NewClassCollector(f.Compile(src.nullsOf(f), nil), f.IsSequence)
		if err != nil {
			return c.v.set.Config.Problem(f.At, "%v", err)
		}
		of := collected{ClassCollector: cc, known: map[string]bool{}}
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
	c.readers, c.features = append(c.readers, layout.NewReader()), append(c.features, features)
	return nil
}

// Close gives back what the readers hold open.
func (c *Collector) Close() {
	for _, r := range c.readers {
		r.Close()
	}
}

// Collect adds the names in a row that has a split. A row that cannot be read has
// none: whoever writes it says so.
func (c *Collector) Collect(r *Row) error {
	if r.Bad != "" {
		return nil
	}
	f := &c.v.set.files[r.File]
	reader := c.readers[f.source.Number]
	reader.SetSplit(c.v.set.Splits.Name(r.Split))
	vals, err := reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		var bad *schema.RowError
		if errors.As(err, &bad) {
			return nil
		}
		return err
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
			return c.v.full(i)
		}
	}
	return nil
}
