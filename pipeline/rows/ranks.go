package rows

import (
	"fmt"

	"tfr-build/internal/nameset"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// Ranks are the places of the classes in the orders of Inception's script, which
// listed the folders of the classes one after another.
type Ranks struct {
	of      *nameset.Set // without names while they are not known
	feature string       // whose labels file says the order; empty where names do
	others  bool         // classes that are not listed come after all
}

// newRanks are the ranks that the config tells; nil for another order.
func newRanks(cfg *config.Config, classes *Classes) *Ranks {
	if _, ok := cfg.Inception(); !ok {
		return nil
	}
	f := cfg.Labels()
	if f == nil {
		return &Ranks{of: new(nameset.Set), others: true}
	}
	r := &Ranks{feature: f.Key, others: f.Classes.Unknown.Number != nil}
	r.Set(classes.Of(f.Key))
	return r
}

// ByName reports whether nothing lists the classes, so that they come by name: all
// rows have to say theirs first.
func (r *Ranks) ByName() bool { return r != nil && r.feature == "" }

// Set sets the classes in their order.
func (r *Ranks) Set(names []string) {
	r.of, _, _ = nameset.Of(names)
}

// Note says in which order the classes come; empty where they decide nothing.
func (r *Ranks) Note() string {
	switch {
	case r == nil:
		return ""
	case r.ByName():
		return "the order goes through the classes by their names: no feature of the column " + config.ClassColumn + " lists them"
	}
	return fmt.Sprintf("the order goes through the classes as the feature %q lists them", r.feature)
}

// rank is that of a class. The script did not look into folders that its labels file
// does not list: a row of such a class has no place.
func (r *Ranks) rank(class []byte) (uint64, error) {
	if n, listed := r.of.Find(class); listed {
		return uint64(n), nil
	}
	if r.others {
		return uint64(r.of.Len()), nil
	}
	return 0, &schema.RowError{
		Code: "LABEL_UNKNOWN", Column: config.ClassColumn, Found: schema.Quote(class),
		Message: fmt.Sprintf("%s is not one of the %d classes of the feature %q, but they decide the row's place", schema.Quote(class), r.of.Len(), r.feature),
	}
}

// Class is the class of a row, where an order of Inception's script goes by it. A
// *schema.RowError says why there is none.
func (c *Chooser) Class(r *Row) ([]byte, error) {
	d, vals, err := c.read(r)
	if err != nil {
		return nil, err
	}
	return d.class.text(vals)
}
