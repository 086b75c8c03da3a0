package rows

import (
	"slices"
	"sync"

	"tfr-build/internal/bug"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/strata"
	"tfr-build/schema"
)

// valueNumbers numbers the values of some columns, from 1, in the order in which they are found.
// Goroutines may share it.
type valueNumbers struct {
	cfg     *config.Config
	columns []valueColumn // by number: the Population of their values

	mu      sync.Mutex
	numbers map[strata.Value]uint32
	list    strata.Values // by number
	text    int           // size of all values in bytes
	closed  bool          // all values are known
}

// A valueColumn is a column whose values are numbered.
type valueColumn struct{ at, name string } // at is the key of the config that names the column

// Values returns the values by number.
func (n *valueNumbers) Values() strata.Values {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

// AddAll adds values, and returns the number of each.
func (n *valueNumbers) AddAll(list strata.Values) (numbers []uint32, err error) {
	for _, v := range list {
		number, err := n.add(v)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}

// add returns the number of a value, and adds a new value. Too many values are an error of the config.
func (n *valueNumbers) add(v strata.Value) (uint32, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if number := n.numbers[v]; number > 0 {
		return number, nil
	}
	of := n.columns[v.Population]
	switch {
	case n.closed:
		return 0, bug.Errorf("the value %s of column %q is found too late", schema.Quote(v.Text), of.name)
	case len(n.list) == strata.Max:
		problem := n.cfg.Problem(of.at, "column %q has more than %d values", of.name, strata.Max)
		problem.List[0].Hint = "name a column with few values, such as a class"
		return 0, problem
	case n.text+len(v.Text) > strata.MaxText:
		return 0, n.cfg.Problem(of.at, "column %q has more than %d bytes of values", of.name, strata.MaxText)
	}
	return n.put(v), nil
}

// put adds a new value.
func (n *valueNumbers) put(v strata.Value) uint32 {
	if n.numbers == nil {
		n.numbers = map[strata.Value]uint32{}
	}
	n.list, n.text = append(n.list, v), n.text+len(v.Text)
	n.numbers[v] = uint32(len(n.list))
	return uint32(len(n.list))
}

// forget removes all values.
func (n *valueNumbers) forget() { n.numbers, n.list, n.text, n.closed = nil, nil, 0, false }

// A valueCache has the numbers of values that one goroutine has seen, by population, to avoid the lock.
type valueCache []seenValues

// seenValues are the numbers of the values of a column.
type seenValues struct {
	missing uint32
	texts   map[string]uint32
}

// number returns the number of a value, and adds a new value.
func (c *valueCache) number(of *valueNumbers, population int, missing bool, text []byte) (uint32, error) {
	for len(*c) <= population {
		*c = append(*c, seenValues{texts: map[string]uint32{}})
	}
	seen := &(*c)[population]
	n := seen.missing
	if !missing {
		n = seen.texts[string(text)]
	}
	if n > 0 {
		return n, nil
	}
	n, err := of.add(strata.Value{Population: population, Missing: missing, Text: string(text)})
	switch {
	case err != nil || len(text) > maxKnownText:
	case missing:
		seen.missing = n
	default:
		seen.texts[string(text)] = n
	}
	return n, err
}
