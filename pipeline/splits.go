package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
)

// splits are the splits of a dataset by number: those that the config names,
// in its order, then those that the values of columns name, as they come.
type splits struct {
	mu    sync.RWMutex
	names []string
	known int // so many are named by the config
}

func newSplits(cfg *config.Config) *splits {
	names, _ := cfg.Splits()
	return &splits{names: slices.Clone(names), known: len(names)}
}

// number is the number of a split that the config names.
func (s *splits) number(name string) uint8 { return uint8(slices.Index(s.names, name)) }

// name is the name of a split, while rows may still name others.
func (s *splits) name(number uint8) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.names[number]
}

// take is the number of the split that a row names.
func (s *splits) take(name []byte) (uint8, error) {
	s.mu.RLock()
	i := s.index(name)
	s.mu.RUnlock()
	if i >= 0 {
		return uint8(i), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(name); i >= 0 {
		return uint8(i), nil
	}
	if !config.IsSplitName(string(name)) {
		return order.NoSplit, &schema.RowError{Code: "SPLIT_NAME", Message: fmt.Sprintf("%s is not the name of a split: a letter, then letters, digits and _", schema.Quote(name))}
	}
	if len(s.names) == config.MaxSplits {
		return order.NoSplit, errSplits
	}
	s.names = append(s.names, string(name))
	return uint8(len(s.names) - 1), nil
}

func (s *splits) index(name []byte) int {
	for i, n := range s.names {
		if n == string(name) {
			return i
		}
	}
	return -1
}

// sorted are the numbers of the splits in the order of the dataset: those of
// the config, then the others by name.
func (s *splits) sorted() []int {
	order := make([]int, len(s.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[s.known:], func(a, b int) int {
		if s.names[a] < s.names[b] {
			return -1
		}
		return 1
	})
	return order
}

// A chooser reads the columns that decide a row's split or its key.
type chooser struct {
	layout *sources.Layout
	split  int // slot of the column that names or decides the split; -1 for none
	named  bool
	key    int // slot of order_key; -1 for none
}

// newChooser tells how the split and the key of a source's rows are found; nil
// where their address is enough.
func (j *job) newChooser(s *source) (*chooser, error) {
	split := &s.cfg.Split
	c := &chooser{split: -1, key: -1}
	var columns []string
	slot := func(column string) int {
		if i := slices.Index(columns, column); i >= 0 {
			return i
		}
		columns = append(columns, column)
		return len(columns) - 1
	}
	switch {
	case split.Column != "":
		c.split, c.named = slot(split.Column), true
	case len(split.Fractions) > 0:
		shares := make([]order.Share, len(split.Fractions))
		for i, f := range split.Fractions {
			shares[i] = order.Share{Split: j.splits.number(f.Split), Part: f.Share}
		}
		var err error
		if s.cuts, err = order.NewCuts(shares); err != nil {
			return nil, err
		}
		if split.By != "" {
			c.split = slot(split.By)
		}
	default:
		s.fixed = j.splits.number(split.Name)
	}
	if j.cfg.OrderKey != "" {
		c.key = slot(j.cfg.OrderKey)
	}
	if len(columns) == 0 {
		return nil, nil
	}
	var err error
	c.layout, err = s.Bind(columns)
	return c, err
}

// mode is what the rows are ordered by.
func (j *job) mode() order.Mode {
	switch {
	case j.cfg.Order == "source":
		return order.Source
	case j.cfg.OrderKey != "":
		return order.Keyed
	}
	return order.Shuffled
}

// choose is the split and, with order_key, the key of a row.
func (j *job) choose(s *source, vals []schema.Value, address uint64) (split uint8, key uint64, err error) {
	c := s.chooser
	if c.key >= 0 {
		text, err := columnText(s, &vals[c.key], j.cfg.OrderKey)
		if err != nil {
			return order.NoSplit, 0, err
		}
		key = j.shuffle.Key(order.HashText(text))
	}
	switch {
	case c.split < 0 && s.cuts != nil:
		return s.cuts.Split(order.SplitPoint(address)), key, nil
	case c.split < 0:
		return s.fixed, key, nil
	}
	name := s.cfg.Split.By
	if c.named {
		name = s.cfg.Split.Column
	}
	text, err := columnText(s, &vals[c.split], name)
	if err != nil {
		return order.NoSplit, 0, err
	}
	if !c.named {
		return s.cuts.Split(order.HashText(text)), key, nil
	}
	split, err = j.splits.take(text)
	if err == nil {
		return split, key, nil
	}
	var bad *schema.RowError
	switch {
	case errors.Is(err, errSplits):
		err = j.cfg.Problem(s.cfg.Split.At+".column", "column %q names more than %d splits", name, config.MaxSplits)
	case errors.As(err, &bad):
		bad.Column, bad.At = name, int(vals[c.split].At)
	}
	return split, key, err
}

// errSplits says that the rows name too many splits, which is no fault of a row.
var errSplits = errors.New("too many splits")

// columnText is the text of a column that decides a row's place.
func columnText(s *source, v *schema.Value, column string) ([]byte, error) {
	switch {
	case s.IsMissing(column, v):
		return nil, &schema.RowError{Code: "MISSING", At: int(v.At), Column: column, Message: "no value, but it decides the row's place"}
	case v.Kind < schema.Bytes:
		return v.Text, nil
	}
	return nil, &schema.RowError{Code: "TYPE", At: int(v.At), Column: column, Message: "not a text or a number, but it decides the row's place"}
}
