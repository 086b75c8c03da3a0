package rows

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// Splits numbers the splits of a dataset: first those that the config names, in its order, then
// those that rows name, in the order in which they are found. Goroutines may share it.
type Splits struct {
	mu    sync.RWMutex
	names []string
	known int // number of splits that the config names
}

// maxSplits is the largest number of splits of a dataset.
const maxSplits = config.MaxSplits

func newSplits(cfg *config.Config) *Splits {
	names, _ := cfg.Splits()
	return &Splits{names: slices.Clone(names), known: len(names)}
}

// Known returns the number of splits that the config names.
func (s *Splits) Known() int { return s.known }

// Number returns the number of a split, which must exist.
func (s *Splits) Number(name string) uint8 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return uint8(slices.Index(s.names, name))
}

// Name returns the name of a split. Other goroutines may add splits at the same time.
func (s *Splits) Name(number uint8) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.names[number]
}

// Limit returns the largest number of rows of a split. limited is false if the split has no limit, or
// only one for each value of a column.
func (s *Splits) Limit(limits config.RowLimits, number uint8) (most int64, limited bool) {
	if len(limits) == 0 {
		return 0, false
	}
	l := limits.Of(s.Name(number))
	if l == nil || l.Per != "" {
		return 0, false
	}
	return l.Rows, true
}

// Names returns the names by number.
func (s *Splits) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.names)
}

// Restore sets the names by number, as a stopped build stored them. It returns false and changes
// nothing if they do not begin with the names in the config.
func (s *Splits) Restore(names []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(names) < s.known || len(names) > maxSplits || !slices.Equal(names[:s.known], s.names[:s.known]) {
		return false
	}
	s.names = slices.Clone(names)
	return true
}

// Forget removes the names that rows added.
func (s *Splits) Forget() { s.Restore(s.names[:s.known]) }

// add returns the number of the split that a row names, and adds a new name.
func (s *Splits) add(name []byte) (uint8, error) {
	s.mu.RLock()
	i := s.index(name)
	s.mu.RUnlock()
	if i >= 0 {
		return uint8(i), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(name); i >= 0 { // another goroutine has added it
		return uint8(i), nil
	}
	if !config.IsSplitName(string(name)) {
		return order.NoSplit, &schema.RowError{Code: "SPLIT_NAME", Message: s.invalidName(name),
			Found: schema.Quote(name)}
	}
	if len(s.names) == maxSplits {
		return order.NoSplit, errSplits
	}
	s.names = append(s.names, string(name))
	return uint8(len(s.names) - 1), nil
}

// invalidName returns the message for a string that cannot name a split, with the allowed names.
func (s *Splits) invalidName(name []byte) string {
	text := schema.Quote(name) +
		` is not the name of a split; expected a letter, then letters, digits and _, at most 100, and not "all"`
	if s.known > 0 {
		text += "; the config names " + strings.Join(s.names[:s.known], ", ")
	}
	return text
}

// errSplits says that the rows name too many splits. It is an error of the column, not of a row.
var errSplits = errors.New("too many splits")

// index returns the number of a split, or -1.
func (s *Splits) index(name []byte) int {
	for i, n := range s.names {
		if n == string(name) {
			return i
		}
	}
	return -1
}

// Sorted returns the numbers of the splits in output order: those that the config names, then the
// others by name.
func (s *Splits) Sorted() []int {
	order := make([]int, len(s.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[s.known:], func(a, b int) int { return cmp.Compare(s.names[a], s.names[b]) })
	return order
}
