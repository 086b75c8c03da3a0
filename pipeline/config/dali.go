package config

import "tfr-build/schema"

// ForDALI are sentences about features that NVIDIA's DALI misreads, which reads a dataset
// by its indexes and says nothing where a value is not as it expects. Without `index: true`
// there are none.
func (c *Config) ForDALI() []string {
	if !c.Index || c.Record.Form != "example" {
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

// misread says how DALI misreads the feature; empty where it reads it well.
func (f *Feature) misread() string {
	kind, _ := schema.ParseType(f.Type)
	isList := f.Repeat != "" || len(f.Shape.Dims) > 0 && f.Shape.Dims[0] < 0
	switch {
	case f.Missing.Form == "omit":
		return "reads 0, or what its memory holds, where a record lacks the feature; missing: {default: …} stores a value instead"
	case kind.IsText() && isList && !f.Tensor && !f.Raw:
		return "crashes at a list of texts that is empty; no row may have one: missing: {default: …} stores a list where a row lacks it"
	}
	return ""
}
