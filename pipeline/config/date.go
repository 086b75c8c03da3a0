package config

import (
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/schema/date"
)

// zoneRule checks the name of a time zone.
func zoneRule(s string) (expected, hint string) {
	if s == "UTC" { // the default of each feature: the list of all zones would be made for each
		return "", ""
	}
	if zones := date.Zones(); !slices.Contains(zones, s) {
		return "UTC, or a name of the IANA time zone database such as Europe/Paris", nearest.Hint(s, zones)
	}
	return "", ""
}

// date returns the date format of the feature for the schema; nil if the feature is not a date.
func (f *Feature) date() *schema.Date {
	if f.Date == "" {
		return nil
	}
	unit, _ := date.ParseUnit(f.Unit)
	return &schema.Date{Format: f.Date, Unit: unit, Zone: f.Zone}
}

// Zones returns the release of the time zone database if a feature is a date in a time zone other
// than UTC. The stored values then depend on the release. Otherwise it returns an empty string.
func (c *Config) Zones() string {
	for _, f := range c.AllFeatures() {
		if f.Date != "" && f.Zone != "" && f.Zone != "UTC" {
			return date.Release()
		}
	}
	return ""
}
