package config

import "tfr-build/schema"

// ForDALI returns a warning for each feature that NVIDIA's DALI misreads. DALI reads a dataset by
// its indexes, and reports no error for a value that it does not expect. Without `index: true` the
// result is nil.
func (c *Config) ForDALI() []string {
	if !c.Index || !c.Message().Readers().DALI || !c.Framing().DALI {
		return nil
	}
	var notes []string
	for i := range c.Features {
		if f := &c.Features[i]; f.misread() != "" {
			notes = append(notes, f.At+": DALI "+f.misread())
		}
	}
	return notes
}

// misread describes how DALI misreads the feature; empty if it does not.
func (f *Feature) misread() string {
	kind, _ := schema.ParseType(f.Type)
	isList := f.Repeat != "" || len(f.Shape.Dims) > 0 && f.Shape.Dims[0] < 0
	switch {
	case f.Missing.Form == "omit":
		return "reads 0, or what its memory holds, where a record lacks the feature; " +
			"missing: {default: …} stores a value instead"
	case kind.IsText() && isList && !f.Tensor && !f.Raw:
		return "crashes at an empty list of strings; no row may have one: " +
			"missing: {default: …} stores a list where a row lacks it"
	}
	return ""
}
