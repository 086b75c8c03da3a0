package config

import (
	"math"
	"strconv"
	"strings"

	"tfr-build/schema"
)

// constantType returns the type of a constant, by its spelling in YAML.
func (c featureCheck) constantType(path string, k *Constant) string {
	switch {
	case k.quoted:
		return "bytes"
	case wholeForm.MatchString(k.Text):
		if _, err := strconv.ParseInt(k.Text, 10, 64); err != nil {
			c.report(path, "found %s; an int64 is from %d to %d", cutNumber(k.Text), math.MinInt64, math.MaxInt64)
		}
		return "int64"
	case leadingZero.MatchString(k.Text):
		c.reportWithHint(path, leadingZeroHint(k.Text)+", or quote it",
			"found %s, with a leading zero; is it a number?", quoteValue(k.Text))
		return "int64"
	case otherNumber.MatchString(k.Text):
		c.reportWithHint(path, "write it in decimal digits, or quote it", "found %s; is it a number?",
			quoteValue(k.Text))
		return "int64"
	case floatNumber.MatchString(k.Text) || yamlNan.MatchString(k.Text):
		return "float"
	case k.Text == "true" || k.Text == "false":
		return "bool"
	case oldBool.MatchString(k.Text):
		c.reportWithHint(path, "write true or false, or quote it", "found %s; is it a bool?", quoteValue(k.Text))
	}
	return "bytes"
}

// checkConstants checks the spelling of the constant, the default, the pad, and the values of map.
func (c featureCheck) checkConstants() {
	if c.Value != nil {
		c.checkConstant(c.pathOf("value"), c.Value)
	}
	if c.Missing.Default != nil {
		c.checkConstant(c.pathOf("missing.default"), c.Missing.Default)
	}
	if c.Pad != nil {
		c.checkConstant(c.pathOf("pad"), c.Pad)
	}
	if c.Map == nil {
		return
	}
	for i := range c.Map.Values {
		v := &c.Map.Values[i]
		c.checkConstant(v.At, &v.Value)
	}
	if c.Map.Unknown != nil {
		c.checkConstant(c.pathOf("map.unknown"), c.Map.Unknown)
	}
}

func (c featureCheck) checkConstant(path string, k *Constant) {
	t, ok := schema.ParseType(c.Type)
	switch {
	case !ok || !c.isValid(path):
	case c.Classes != nil || c.Date != "" || t.IsText():
		k.quoted = true // the string 007 stays 007 in the canonical text
	case k.quoted:
	case t.IsFloat():
		if yamlNan.MatchString(k.Text) {
			k.Text = strings.Replace(k.Text, ".", "", 1) // the schema's nan is not YAML's .nan
		}
	case t == schema.BoolType:
		if oldBool.MatchString(k.Text) && k.Text != "true" && k.Text != "false" {
			c.reportWithHint(path, wordHelp("bool", plainNode(k.Text)), "found %s; expected true or false",
				quoteValue(k.Text))
		}
	case c.IntFromFloat && floatNumber.MatchString(k.Text) && !leadingZero.MatchString(k.Text):
	default:
		if _, problem, hint := numberText(plainNode(k.Text), "a whole number", wholeForm); problem != "" {
			c.reportWithHint(path, hint, "%s", problem)
		}
	}
}
