package config

import (
	"errors"
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/schema/date"
)

// zoneRule is the rule of the name of a time zone.
func zoneRule(s string) (expected, hint string) {
	if zones := date.Zones(); !slices.Contains(zones, s) {
		return "UTC, or a name of the IANA time zone database such as Europe/Paris", nearest.DidYouMean(nearest.Of(s, zones))
	}
	return "", ""
}

// dated checks the keys of a date.
func (c featureCheck) dated() {
	if c.Date == "" {
		for _, key := range []string{"unit", "zone"} {
			if c.faults.given(c.key(key)) && c.fine(c.key("date")) {
				c.hinted(c.key(key), `date: "%Y-%m-%d"`, "%s is for dates, and there is no date", key)
			}
		}
		return
	}
	for _, key := range c.given("classes", "map", "int_from_float") {
		c.bad(c.key(key), "date and %s exclude each other", key)
	}
	if _, err := date.Compile(c.Date, date.Seconds, nil); err != nil {
		hint := ""
		var fault *date.FormatError
		if errors.As(err, &fault) {
			hint = fault.Hint
		}
		c.hinted(c.key("date"), hint, "found %s: %v", quoteValue(c.Date), err)
	}
}

// date is the date as the schema takes it; nil for none.
func (f *Feature) date() *schema.Date {
	if f.Date == "" {
		return nil
	}
	unit, _ := date.ParseUnit(f.Unit)
	return &schema.Date{Format: f.Date, Unit: unit, Zone: f.Zone}
}

// Zones is the release of the time zones, where some feature is a date of one, so that
// what is stored depends on it; else it is empty.
func (c *Config) Zones() string {
	for _, f := range c.AllFeatures() {
		if f.Date != "" && f.Zone != "" && f.Zone != "UTC" {
			return date.Release()
		}
	}
	return ""
}
