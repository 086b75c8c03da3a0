package config

import (
	"encoding/json"
	"strconv"

	"tfr-build/checks"
	"tfr-build/schema"
)

// Expected returns the checks of the config by the keys of its records; nil if it has none.
func (c *Config) Expected() *checks.Expected {
	if c.Checks == nil {
		return nil
	}
	e := &checks.Expected{By: c.Statistics.By}
	if c.Checks.Leakage != nil {
		e.Leakage = &c.Checks.Leakage.Rows
	}
	features := map[string]*Feature{}
	for _, f := range c.AllFeatures() {
		features[f.Key] = f
	}
	for i := range c.Checks.Features {
		check := &c.Checks.Features[i]
		if f := features[check.Key]; f != nil { // otherwise the config has no features yet
			e.Features = append(e.Features, check.expected(f))
		}
	}
	for _, r := range c.Checks.Rows {
		e.Rows = append(e.Rows, checks.Rows{Split: r.Split, Least: r.Least})
	}
	if c.Checks.SplitSkew != nil {
		bits := float64(*c.Checks.SplitSkew) / 1e6
		e.SplitSkew = &bits
	}
	if of := c.Checks.Classes; of != nil {
		e.Classes = &checks.Classes{Empty: of.Empty, InEverySplit: of.InEverySplit}
	}
	return e
}

// expected returns the check of the values of f. The values of a ragged feature have a key of their
// own in the record.
func (c *FeatureCheck) expected(f *Feature) checks.Feature {
	compiled := f.Compile(nil, nil)
	e := checks.Feature{
		Key: compiled.Keys()[0], Min: json.Number(c.Min), Max: json.Number(c.Max),
		Missing: (*uint64)(c.Missing), Empty: (*uint64)(c.Empty), Distinct: c.Distinct, Finite: c.Finite,
		Values: c.Values,
	}
	if compiled.Type.IsInteger() && (f.Classes == nil || f.MultiHot) {
		e.Values = make([]string, 0, len(c.Values))
		for _, v := range c.Values {
			number, _ := strconv.ParseInt(v, 10, 64) // already checked
			e.Values = append(e.Values, strconv.FormatInt(number, 10))
		}
	}
	if len(c.Values) == 0 {
		e.Values = nil
	}
	return e
}

// kindOfValues says how statistics treat the values of a feature.
type kindOfValues int

const (
	unclear kindOfValues = iota // files determine the type, or it is invalid
	wholeValues
	floatValues
	boolValues
	classValues
	textValues
	opaqueValues // images, and numbers stored as bytes
)

func (f *Feature) kindOfValues() kindOfValues {
	t, ok := schema.ParseType(f.Type)
	switch {
	case !ok:
		return unclear
	case f.Tensor || f.Raw || f.IsImage && t == schema.BytesType:
		return opaqueValues
	case f.Classes != nil && !f.MultiHot:
		return classValues
	case t == schema.BoolType:
		return boolValues
	case t.IsInteger():
		return wholeValues
	case t.IsFloat():
		return floatValues
	}
	return textValues
}
