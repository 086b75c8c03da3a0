package spill

import (
	"fmt"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// TestEntries encodes the entries of rows in each order, and decodes them again.
func TestEntries(t *testing.T) {
	for _, c := range []struct {
		more   string
		header int
	}{
		{"", 14},
		{"order: source\n", 14},
		{"order_key: user\n", 22},
		{"split: {fractions: {train: 80%, test: 20%}, stratify: user}\n", 26},
		{"order_key: user\nsplit: {fractions: {train: 80%, test: 20%}, stratify: user}\n", 34},
	} {
		set := setOf(t, c.more)
		e := newEntries(set)
		if e.header != c.header {
			t.Errorf("%q: a header of %d bytes, want %d", c.more, e.header, c.header)
		}
		chooser := set.NewChooser()
		defer chooser.Close()
		var before []byte
		err := eachRow(set, func(r *rows.Row) error {
			of, err := chooser.Choose(r)
			if err != nil {
				return err
			}
			split, key := of.Split, of.Key
			switch set.Mode() {
			case order.Source:
				key = set.Sequence.Position(r.File, r.Offset)
			case order.Shuffled:
				key = set.Shuffle.Key(set.Space.Address(r.File, r.Offset))
			}
			r.Split = split
			b := append(e.appendHeader(nil, key, r, &of.Pending, 3), r.Data...)
			got := e.row(b)
			if want := fmt.Sprint(0, r.Offset, split, string(r.Data)); fmt.Sprint(got.File, got.Offset, got.Split,
				string(got.Data)) != want {
				t.Errorf("%q: %+v, want %s", c.more, got, want)
			}
			if e.key(b) != key || e.size(b) != len(b) || *e.marks(b) != [2]byte{split, 3} ||
				e.stratum(b) != of.Stratum {
				t.Errorf("%q: key %d, %d bytes, marks %v, stratum %v of %x", c.more, e.key(b), e.size(b), e.marks(b),
					e.stratum(b), b)
			}
			if before != nil && e.key(before) == key && !e.after(b, before) {
				t.Errorf("%q: rows with equal keys are not in the order of the input", c.more)
			}
			before = b
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
