package config

import (
	"math"
	"strconv"
	"strings"

	"tfr-build/schema"
)

// constantType is the type that a constant has in YAML.
func (c featureCheck) constantType(path string, k *Constant) string {
	switch {
	case k.quoted:
		return "bytes"
	case wholeForm.MatchString(k.Text):
		if _, err := strconv.ParseInt(k.Text, 10, 64); err != nil {
			c.bad(path, "found %s; an int64 is from %d to %d", cutNumber(k.Text), math.MinInt64, math.MaxInt64)
		}
		return "int64"
	case leadingZero.MatchString(k.Text):
		c.hinted(path, leadingZeroHint(k.Text)+", or quote it", "found %s, with a leading zero; is it a number?", quoteValue(k.Text))
		return "int64"
	case otherNumber.MatchString(k.Text):
		c.hinted(path, "write it in decimal digits, or quote it", "found %s; is it a number?", quoteValue(k.Text))
		return "int64"
	case floatNumber.MatchString(k.Text) || yamlNan.MatchString(k.Text):
		return "float"
	case k.Text == "true" || k.Text == "false":
		return "bool"
	case oldBool.MatchString(k.Text):
		c.hinted(path, "write true or false, or quote it", "found %s; is it a bool?", quoteValue(k.Text))
	}
	return "bytes"
}

// constants checks the spelling of the constant and of the default.
func (c featureCheck) constants() {
	if c.Value != nil {
		c.constant(c.key("value"), c.Value)
	}
	if c.Missing.Default != nil {
		c.constant(c.key("missing.default"), c.Missing.Default)
	}
	if c.Map == nil {
		return
	}
	for i := range c.Map.Values {
		v := &c.Map.Values[i]
		c.constant(v.At, &v.Value)
	}
	if c.Map.Unknown != nil {
		c.constant(c.key("map.unknown"), c.Map.Unknown)
	}
}

func (c featureCheck) constant(path string, k *Constant) {
	t, ok := schema.ParseType(c.Type)
	switch {
	case !ok || !c.fine(path):
	case c.Classes != nil || c.Date != "" || t.IsText():
		k.quoted = true // 007 is that text, and stays so in the canonical text
	case k.quoted:
	case t.IsFloat():
		if yamlNan.MatchString(k.Text) {
			k.Text = strings.Replace(k.Text, ".", "", 1) // the schema's nan is not YAML's .nan
		}
		if x, err := strconv.ParseFloat(k.Text, 64); err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) && c.Nonfinite != "allow" && c.fine(c.key("nonfinite")) {
			c.hinted(path, "nonfinite: allow", "%s is not a finite number", quoteValue(k.Text))
		}
	case t == schema.BoolType:
		if oldBool.MatchString(k.Text) && k.Text != "true" && k.Text != "false" {
			c.hinted(path, wordHelp("bool", plainNode(k.Text)), "found %s; expected true or false", quoteValue(k.Text))
		}
	case c.IntFromFloat && floatNumber.MatchString(k.Text) && !leadingZero.MatchString(k.Text):
	default:
		if _, fault, hint := wholeNumber(plainNode(k.Text)); fault != "" {
			c.hinted(path, hint, "%s", fault)
		}
	}
}
