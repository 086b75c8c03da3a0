package config

import (
	"fmt"
	"reflect"
	"strconv"
)

// Statistics are the settings of the statistics that a build collects.
type Statistics struct {
	On bool

	By     string `yaml:"by" is:"text" doc:"Feature whose values are counted as classes. Default: the features with classes." example:"species"`
	Top    int    `yaml:"top" default:"20" range:"0 1000" doc:"Number of most frequent values that are kept per feature. Default: 20."`
	Values bool   `yaml:"values" default:"true" doc:"Shows values of rows and thumbnails in the report. Default: true."`
}

// defaultTop is the default of Statistics.Top.
const defaultTop = 20

func decodeStatistics(d *decoder, at spot, s *Statistics) {
	*s = Statistics{On: true, Top: defaultTop, Values: true}
	switch {
	case at.kind == mappingNode:
		d.decodeFields(at, reflect.ValueOf(s).Elem())
	case at.isScalar() && at.quoted && (at.text == "true" || at.text == "false"), at.isScalar() && !at.isNull() && oldBool.MatchString(at.text):
		s.On = d.readBool(at)
	default:
		d.reportExpected(at, "true, false, or a mapping with by, top or values")
	}
}

func encodeStatistics(e encoder, s Statistics) *node {
	if !s.On || s == (Statistics{On: true, Top: defaultTop, Values: true}) {
		return plainNode(strconv.FormatBool(s.On))
	}
	return e.encodeFields(reflect.ValueOf(s))
}

// WithoutStatistics returns the keys of the config without statistics: checks of values need them.
func (c *Config) WithoutStatistics() string {
	const off = "statistics: false"
	if k := c.Checks; k != nil && (len(k.Features) > 0 || k.SplitSkew != nil || k.Classes != nil) {
		return off + ", without checks.features, checks.split_skew, and checks.classes"
	}
	return off
}

// Text returns the settings as text. It is empty if values are not counted.
func (s Statistics) Text() string {
	if !s.On {
		return ""
	}
	return fmt.Sprintf("by: %q, top: %d, values: %t", s.By, s.Top, s.Values)
}

func statisticsSchema(g *generator) object {
	return anyOf(orVariable(object{"type": "boolean"}), g.ref(reflect.TypeFor[Statistics]()))
}
