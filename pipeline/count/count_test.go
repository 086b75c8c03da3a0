package count

import (
	"testing"

	"tfr-build/dataset"
	"tfr-build/statistics"
)

// TestNameFile has panics while a record is counted and after it: only the first names the file of the statistics.
func TestNameFile(t *testing.T) {
	for _, whileCounting := range []bool{true, false} {
		c := &Counter{of: &Counting{key: -1}, values: new(statistics.Counter),
			addValues: func(*statistics.Counter, []byte, int) {
				if whileCounting {
					panic("a mistake")
				}
			}}
		panics := func() (p any) {
			defer func() { p = recover() }()
			defer c.NameFile()
			c.Add(nil, 0, 1, 0)
			panic("another mistake")
		}
		fault, isNamed := panics().(*dataset.FileError)
		if isNamed != whileCounting || isNamed && fault.File != dataset.StatisticsName {
			t.Errorf("while counting %t: %v", whileCounting, fault)
		}
	}
}
