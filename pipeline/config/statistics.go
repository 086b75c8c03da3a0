package config

import (
	"fmt"
)

// Statistics are the settings of the statistics that a build collects.
type Statistics struct {
	On bool

	By     string `yaml:"by" is:"text" doc:"Feature whose values are counted as classes. Default: the features with classes." example:"species"`
	Top    int    `yaml:"top" default:"20" range:"0 1000" doc:"Number of most frequent values that are kept per feature. Default: 20."`
	Values bool   `yaml:"values" default:"true" doc:"Shows values of rows and thumbnails in the report. Default: true."`
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
