package config

import "tfr-build/schema"

// Compile is the feature as the schema takes it. nulls are the texts that mean
// missing in its source, if it says none of its own; names are its classes, if
// it has any. A shape that is not known is that of one value.
func (f *Feature) Compile(nulls, names []string) schema.Feature {
	t, _ := schema.ParseType(f.Type)
	compiled := schema.Feature{
		Key: f.Key, Type: t, Columns: f.From.Columns, Repeat: f.Repeat, Shape: f.Shape.Dims,
		Separator: f.Separator, NullValues: nulls, IntFromFloat: f.IntFromFloat,
		AllowNonfinite: f.Nonfinite == "allow", Image: f.IsImage,
		Constant: f.Value.value(), Default: f.Missing.Default.value(),
	}
	if f.NullValues != nil {
		compiled.NullValues = f.NullValues
	}
	switch f.Missing.Form {
	case "omit":
		compiled.OnMissing = schema.MissingOmit
	case "default":
		compiled.OnMissing = schema.MissingDefault
	case "empty_list":
		compiled.OnMissing = schema.MissingEmptyList
	}
	switch f.Encoding {
	case "base64":
		compiled.Encoding = schema.Base64
	case "hex":
		compiled.Encoding = schema.Hex
	}
	if f.Classes != nil {
		if names == nil {
			names = f.Classes.Names
		}
		compiled.Classes = &schema.Classes{Names: names, First: f.Classes.First, Unknown: f.Classes.Unknown.Number}
	}
	return compiled
}
