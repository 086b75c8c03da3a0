package config

import (
	"math"
	"strconv"
	"strings"

	"tfr-build/schema"
)

// constantType is the type that a constant has in YAML.
func (p *parser) constantType(path string, c *Constant) string {
	switch {
	case c.quoted:
		return "bytes"
	case wholeNumber.MatchString(c.Text):
		if _, err := strconv.ParseInt(c.Text, 10, 64); err != nil {
			p.bad(path, "found %s; an int64 is from %d to %d", c.Text, math.MinInt64, math.MaxInt64)
		}
		return "int64"
	case leadingZero.MatchString(c.Text):
		p.hinted(path, leadingZeroHint(c.Text)+", or quote it", "found %s, with a leading zero; is it a number?", quoteValue(c.Text))
		return "int64"
	case otherNumber.MatchString(c.Text):
		p.hinted(path, "write it in decimal digits, or quote it", "found %s; is it a number?", quoteValue(c.Text))
		return "int64"
	case floatNumber.MatchString(c.Text) || yamlNan.MatchString(c.Text):
		return "float"
	case c.Text == "true" || c.Text == "false":
		return "bool"
	case oldBool.MatchString(c.Text):
		p.hinted(path, "write true or false, or quote it", "found %s; is it a bool?", quoteValue(c.Text))
	}
	return "bytes"
}

// constants checks the spelling of the constant and the default, and fixes
// what they are.
func (p *parser) constants(f *Feature, at func(string) string) {
	if f.Value != nil {
		p.constant(at("value"), f.Value, f)
	}
	if f.Missing.Default != nil {
		p.constant(at("missing.default"), f.Missing.Default, f)
	}
}

func (p *parser) constant(path string, c *Constant, f *Feature) {
	t, ok := schema.ParseType(f.Type)
	switch {
	case !ok || !p.fine(path):
		return
	case f.Classes != nil || t == schema.BytesType || t == schema.StringType:
		c.Type, c.quoted = "bytes", true
		return
	case t == schema.Float:
		c.Type = "float"
		if !c.quoted && yamlNan.MatchString(c.Text) {
			c.Text = strings.Replace(c.Text, ".", "", 1)
		}
		return
	case t == schema.BoolType:
		c.Type = "bool"
		if !c.quoted && oldBool.MatchString(c.Text) && c.Text != "true" && c.Text != "false" {
			p.bad(path, "found %s; want true or false", quoteValue(c.Text))
		}
		return
	}
	c.Type = "int64"
	if !c.quoted && !(f.IntFromFloat && floatNumber.MatchString(c.Text) && !leadingZero.MatchString(c.Text)) {
		p.digits(path, &node{kind: scalarNode, text: c.Text, place: nearestPlace(p.places, path)})
	}
}

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

func (c *Constant) value() *schema.Value {
	if c == nil {
		return nil
	}
	return &schema.Value{Kind: schema.Text, Text: []byte(c.Text)}
}
