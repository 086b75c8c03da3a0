package rows

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// Splits are the splits of a dataset by number: those that the config names,
// in its order, then those that the values of columns name, as they come.
type Splits struct {
	mu    sync.RWMutex
	names []string
	known int // so many are named by the config
}

// maxSplits is how many splits a dataset may have.
const maxSplits = config.MaxSplits

func newSplits(cfg *config.Config) *Splits {
	names, _ := cfg.Splits()
	return &Splits{names: slices.Clone(names), known: len(names)}
}

// Known is how many splits the config names.
func (s *Splits) Known() int { return s.known }

// Number is the number of a split that is there.
func (s *Splits) Number(name string) uint8 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return uint8(slices.Index(s.names, name))
}

// Name is the name of a split, while rows may still name others.
func (s *Splits) Name(number uint8) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.names[number]
}

// Limit is how many rows a split has at most, by its number; limited is false where it
// has all.
func (s *Splits) Limit(limits config.RowLimits, number uint8) (most int64, limited bool) {
	if len(limits) == 0 {
		return 0, false
	}
	return limits.Of(s.Name(number))
}

// Names are the names by number.
func (s *Splits) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.names)
}

// Restore sets the names by number, as a stopped run knew them. It reports
// whether they begin with those of the config.
func (s *Splits) Restore(names []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(names) < s.known || len(names) > maxSplits || !slices.Equal(names[:s.known], s.names[:s.known]) {
		return false
	}
	s.names = slices.Clone(names)
	return true
}

// Forget forgets the names that rows gave.
func (s *Splits) Forget() { s.Restore(s.names[:s.known]) }

// take is the number of the split that a row names.
func (s *Splits) take(name []byte) (uint8, error) {
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
		return order.NoSplit, &schema.RowError{Code: "SPLIT_NAME", Message: s.unfit(name), Found: schema.Quote(name)}
	}
	if len(s.names) == maxSplits {
		return order.NoSplit, errSplits
	}
	s.names = append(s.names, string(name))
	return uint8(len(s.names) - 1), nil
}

// unfit says that a text cannot name a split, and what can.
func (s *Splits) unfit(name []byte) string {
	text := schema.Quote(name) + ` is not the name of a split; expected a letter, then letters, digits and _, at most 100, and not "all"`
	if s.known > 0 {
		text += "; the config names " + strings.Join(s.names[:s.known], ", ")
	}
	return text
}

// errSplits says that the rows name too many splits, which is no fault of a row.
var errSplits = errors.New("too many splits")

func (s *Splits) index(name []byte) int {
	for i, n := range s.names {
		if n == string(name) {
			return i
		}
	}
	return -1
}

// Sorted are the numbers of the splits in the order of the dataset: those of
// the config, then the others by name.
func (s *Splits) Sorted() []int {
	order := make([]int, len(s.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[s.known:], func(a, b int) int { return cmp.Compare(s.names[a], s.names[b]) })
	return order
}
