package rows

import (
	"fmt"

	"tfr-build/internal/nameset"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// Ranks has the rank of each class in the orders of Inception's script. The script lists the
// directories of the classes one after another.
type Ranks struct {
	names    *nameset.Set // empty until the names are known
	feature  string       // its class file has the order; empty if classes are sorted by name
	unlisted bool         // classes that are not listed are allowed, after all others
}

// newRanks returns the ranks that the config determines; nil for other orders.
func newRanks(cfg *config.Config, classes *Classes) *Ranks {
	if _, ok := cfg.Inception(); !ok {
		return nil
	}
	f := cfg.Labels()
	if f == nil {
		return &Ranks{names: new(nameset.Set), unlisted: true}
	}
	r := &Ranks{feature: f.Key, unlisted: f.Classes.Unknown.Number != nil}
	r.Set(classes.Of(f.Key))
	return r
}

// ByName reports whether the classes are sorted by name, because no feature lists them. Then all
// rows must be read first to find the classes.
func (r *Ranks) ByName() bool { return r != nil && r.feature == "" }

// Set sets the classes in their order.
func (r *Ranks) Set(names []string) {
	r.names, _, _ = nameset.Of(names)
}

// Note describes the order of the classes for the log. It is empty if classes do not determine the
// order.
func (r *Ranks) Note() string {
	switch {
	case r == nil:
		return ""
	case r.ByName():
		return "the order goes through the classes by their names: no feature of the column " + config.ClassColumn +
			" lists them"
	}
	return fmt.Sprintf("the order goes through the classes as the feature %q lists them", r.feature)
}

// rank returns the rank of a class. The script ignores directories that its labels file does not
// list, so a row of an unlisted class is a *schema.RowError.
func (r *Ranks) rank(class []byte) (uint64, error) {
	if n, listed := r.names.Find(class); listed {
		return uint64(n), nil
	}
	if r.unlisted {
		return uint64(r.names.Len()), nil
	}
	return 0, &schema.RowError{
		Code: "LABEL_UNKNOWN", Column: config.ClassColumn, Found: schema.Quote(class),
		Message: fmt.Sprintf("%s is not one of the %d classes of the feature %q, but they decide the row's position",
			schema.Quote(class), r.names.Len(), r.feature),
	}
}

// Class returns the class of a row for the orders of Inception's script. A *schema.RowError says
// why a row has no class.
func (c *Chooser) Class(r *Row) ([]byte, error) {
	s := &c.sources[c.set.files[r.File].source.Number]
	vals, err := s.read(c.set, r)
	if err != nil {
		return nil, err
	}
	return s.decider.class.text(vals)
}
