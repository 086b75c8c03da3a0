package date

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

// TestParse has strings that Python does not support, or rejects.
func TestParse(t *testing.T) {
	const ny = "America/New_York"
	for _, tt := range []struct {
		format, unit, zone, text string
		want                     string
	}{
		{"rfc3339", "s", "UTC", "1970-01-01T00:00:00Z", "0"},
		{"rfc3339", "s", "UTC", "1985-04-12T23:20:50.000z", "482196050"},
		{"rfc3339", "ms", ny, "1996-12-19 16:39:57.5-08:00", "851042397500"}, // its own offset
		{"rfc3339", "ns", "UTC", "2262-04-11t23:47:16.854775807Z", "9223372036854775807"},
		{"rfc3339", "ns", "UTC", "1677-09-21T00:12:43.145224192Z", "-9223372036854775808"},
		{"rfc3339", "s", "UTC", "1970-01-01T00:00:00-00:00", "0"},
		{"rfc3339", "days", ny, "1970-01-02T00:00:00+14:00", "1"}, // a day is one of the calendar
		{"%Y-%m-%d", "days", ny, "1969-12-31", "-1"},
		{"%Y-%m-%d", "s", ny, "1970-01-01", "18000"},
		{"%Y-%m-%d %H:%M:%S.%f", "ns", "UTC", "1970-01-01 00:00:00.000000001", "1"},
		{"%Y-%m-%d %H:%M:%S.%f", "us", "UTC", "1970-01-01 00:00:00.5", "500000"},
		{"%Y-%m-%d %H:%M:%S%z", "s", ny, "1970-01-01 01:00:00+01", "0"},
		{"%Y-%m-%d %H:%M:%S%z", "s", ny, "1970-01-01 01:00:01+01:00:01", "0"},
		{"%Y-%m-%d %H:%M:%S %Z", "s", ny, "1970-01-01 00:00:00 gmt", "0"},
		{"%b %d %Y", "days", "UTC", "Jan  2 1970", "1"},
		{"%b%d%Y", "days", "UTC", "JAN 21970", "1"},
		{"%y", "days", "UTC", "69", "-365"},
		{"%y", "days", "UTC", "68", "35794"},
		{"%Y年%m月%d日", "days", "UTC", "1970年1月2日", "1"},
		{"%d%%%Y%m", "days", "UTC", "2%197001", "1"},
		{"%Y-%m-%d %H:%M", "s", ny, "2024-11-03 01:30", "1730611800"}, // twice: the first
		{"%Y-%m-%d %H:%M", "s", ny, "2424-11-03 01:30", "14353392600"},
	} {
		x, problem := compile(t, tt.format, tt.unit, tt.zone).Parse([]byte(tt.text))
		if got := fmt.Sprint(x); problem.Reason != Fine || got != tt.want {
			t.Errorf("%q of %q in %s of %s: got %s, %+v; want %s", tt.text, tt.format, tt.unit, tt.zone, got,
				problem, tt.want)
		}
	}
}

// TestExplain has every reason to reject a string.
func TestExplain(t *testing.T) {
	for _, tt := range []struct{ format, unit, zone, text, want, hint string }{
		{"%Y-%m-%d", "s", "UTC", "2024/01/02",
			`is not a date of the form "%Y-%m-%d": found "/" at its character 5; expected "-"`, ""},
		{"%Y-%m-%d", "s", "UTC", "", `it is empty; expected a year of four digits`, ""},
		{"%Y-%m-%d", "s", "UTC", "2024-01", `it ends after its character 7; expected "-"`, ""},
		{"%Y-%m-%d", "s", "UTC", "2024-01-02T10", `found "T" at its character 11; expected its end`, ""},
		{"%Y-%m-%d", "s", "UTC", "２024-01-02", `found "２" at its character 1; expected a year`, ""},
		{"%Y-%m-%d", "s", "UTC", "2024-\xff1-02", `found "\xff" at its character 6; expected a month`, ""},
		{"%d/%m/%Y", "s", "UTC", "13/14/2024", "is not a date: found 14 at its character 4; expected a month, 1 to 12",
			""},
		{"%d/%m/%Y", "s", "UTC", "29/02/2023", "the month has no day 29", ""},
		{"%Y%m%d", "s", "UTC", "2020111",
			`found "1" at its character 7; expected a day of the month, 1 to 31, of 2 digits`, ""},
		{"%m%d%Y", "s", "UTC", "1/2/2020", `found "1" at its character 1; expected a month, 1 to 12, of 2 digits`, ""},
		{"%Y %j", "s", "UTC", "2023 366", "the year has 365 days", ""},
		{"%G-W%V-%u", "s", "UTC", "2024-W53-1", "the year has 52 weeks", ""},
		{"%Y %W %a", "s", "UTC", "2024 00 Mon", "the year has no such day in its week 0", ""},
		{"%A %d %b %Y", "s", "UTC", "Monday 02 Jan 2024", "the day is a Tuesday", ""},
		{"%Y-%m-%d", "s", "UTC", "0000-01-01", "found 0 at its character 1; expected a year", ""},
		{"%Y-%m-%d %I %p", "s", "UTC", "2024-01-01 13 PM", "found 13 at its character 12; expected an hour, 1 to 12",
			""},
		{"%Y-%m-%d %I %p", "s", "UTC", "2024-01-01 12 XM", "expected AM or PM", ""},
		{"%Y-%m-%d %H:%M:%S", "s", "UTC", "2016-12-31 23:59:60", "found 60 at its character 18; expected a second, 0 " +
			"to 59", ""},
		{"rfc3339", "ns", "UTC", "2016-12-31T23:59:59",
			"is not a date of the form 2026-11-21T10:30:00Z: it ends after its character 19; expected an offset", ""},
		{"rfc3339", "ns", "UTC", "2016-12-31T23:59:59.0000000001Z", "expected 1 to 9 digits after the point", ""},
		{"rfc3339", "ns", "UTC", "2016-12-31T23:59:59+0100", "expected an offset such as +01:00", ""},
		{"rfc3339", "ns", "UTC", "2016-12-31T23:59:59+24:00", "expected an offset such as +01:00", ""},
		{"rfc3339", "ns", "UTC", "2016-12-31_23:59:59Z", `found "_" at its character 11; expected T`, ""},
		{"rfc3339", "s", "UTC", "2016-12-31T23:59:59.5Z", "is finer than a second", "unit: ms"},
		{"rfc3339", "ms", "UTC", "2016-12-31T23:59:59.0005Z", "is finer than a millisecond", "unit: us"},
		{"rfc3339", "days", "UTC", "2016-12-31T23:59:59Z", "is finer than a day", "unit: s"},
		{"rfc3339", "ns", "UTC", "2262-04-11T23:47:16.854775808Z", "is beyond what an int64 of nanoseconds holds",
			"unit: us"},
		{"rfc3339", "ns", "UTC", "1677-09-21T00:12:43.145224191Z", "is beyond what an int64 of nanoseconds holds",
			"unit: us"},
		{"rfc3339", "ns", "UTC", "9999-12-31T00:00:00-23:59", "is beyond", "unit: us"},
		{"%Y-%m-%d %H:%M", "s", "America/New_York", "2024-03-10 02:30",
			"is a time that the clocks of America/New_York skip", ""},
		{"%Y-%m-%d", "s", "Pacific/Apia", "2011-12-30", "is a time that the clocks of Pacific/Apia skip", ""},
		{"%Y" + strings.Repeat("x", 100), "s", "UTC", "2024y",
			`"%Yxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"…: found "y" at its character 5; expected ` +
				`"xxxxxxxxxxxxxxxxxxxx"…`, ""},
	} {
		p := compile(t, tt.format, tt.unit, tt.zone)
		x, problem := p.Parse([]byte(tt.text))
		if problem.Reason == Fine {
			t.Errorf("%q of %q is %d; want a problem", tt.text, tt.format, x)
			continue
		}
		message, hint := p.Explain([]byte(tt.text), problem)
		wantText(t, tt.text, message, tt.want)
		if hint != tt.hint {
			t.Errorf("%q: the hint is %q, want %q", tt.text, hint, tt.hint)
		}
	}
}

// TestFormats has every reason to reject a format.
func TestFormats(t *testing.T) {
	for format, want := range map[string]string{
		"":                        "0 no year; expected %Y, %y or %G",
		"yyyy-MM-dd":              `10 no year; expected %Y, %y or %G; hint: date: "%Y-%m-%d"`,
		"YYYY/MM/DD HH:mm":        `16 no year; expected %Y, %y or %G; hint: date: "%Y/%m/%d %H:%M"`,
		"MM/DD":                   `5 no year; expected %Y, %y or %G; hint: date: "%Y-%m-%d", or rfc3339`,
		"RFC3339":                 `7 no year; expected %Y, %y or %G; hint: date: "%Y-%m-%d", or rfc3339`,
		"%Y-%":                    "3 a % without a letter at character 4; a % itself is %%",
		"%Y-%Q":                   "3 unknown letter %Q at character 4; expected one of %Y %y",
		"%Y-%é":                   `3 unknown letter "%é" at character 4`,
		"%F":                      "hint: in place of %F: %Y-%m-%d",
		"%-d/%m/%Y":               "hint: a number may have fewer digits: remove the -",
		"%s":                      "hint: seconds since 1970 are a number",
		"%Y %Y":                   "3 %Y occurs twice, the second at character 4",
		"%Y %y":                   "3 %y at character 4 says what %Y says",
		"%Y-%m-%b":                "6 %b at character 7 says what %m says",
		"%Y %H %I":                "6 %I at character 7 says what %H says",
		"%H:%M":                   "5 no year",
		"%Y-%d":                   "3 %d at character 4 goes with a month, %m, %b or %B, which is not there",
		"%Y %j %m":                "6 %m at character 7 and %j both say the day",
		"%Y-%m-%d %j":             "3 %m at character 4 and %j both say the day",
		"%Y %d %j":                "3 %d at character 4 and %j both say the day",
		"%Y %U":                   "3 %U at character 4 goes with a weekday",
		"%Y %U %u %m":             "9 %m at character 10 and %U both say the day",
		"%Y %U %u %d":             "9 %d at character 10 and %U both say the day",
		"%Y %U %u %j":             "9 %j at character 10 and %U both say the day",
		"%Y-W%V-%u":               "4 %V at character 5 goes with the year of its week, %G",
		"%G-%m-%d":                "0 %G at character 1 goes with a week, %V",
		"%Y %a":                   "3 %a at character 4 goes with a day or a week",
		"%Y %I":                   "3 %I at character 4 goes with %p",
		"%Y %H %p":                "6 %p at character 7 goes with %I",
		"%Y %M":                   "3 %M at character 4 goes with an hour",
		"%Y %H %S":                "6 %S at character 7 goes with a minute",
		"%Y %H:%M %f":             "9 %f at character 10 goes with a second",
		"%H:%M:%S.%f%Y":           "9 %f at character 10 has as many digits as it likes",
		"%H:%M %z%Y":              "6 %z at character 7 has as many digits as it likes",
		"%Y %z %Z":                "6 %Z at character 7 says what %z says",
		strings.Repeat("%Y", 501): "1000 the format has 1002 bytes; expected at most 1000",
		"%Y\x00%" + "\n":          `3 unknown letter "%\n" at character 4`,
		"%Y" + "\xff%" + "\xff":   "3 unknown letter",
	} {
		_, err := Compile(format, Seconds, nil)
		problem, ok := err.(*FormatError)
		if !ok {
			t.Errorf("%q: got %v", format, err)
			continue
		}
		got := fmt.Sprint(problem.At, " ", problem)
		if problem.Hint != "" {
			got += "; hint: " + problem.Hint
		}
		wantText(t, format, got, want)
	}
}

func TestParseDoesNotAllocate(t *testing.T) {
	p := compile(t, "%d %b %Y %I:%M:%S.%f %p", "us", "Europe/Paris")
	good, bad := []byte("31 Dec 1999 11:59:59.999999 PM"), []byte("31 Dec 1999 11:59:59.999999 XM")
	allocs := testing.AllocsPerRun(100, func() {
		p.Parse(good)
		p.Parse(bad)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestTimeZones loads every zone, and compares some zones with known facts.
func TestTimeZones(t *testing.T) {
	names := Zones()
	if len(names) < 590 || Release() < "2026a" {
		t.Fatalf("%d zones of release %q", len(names), Release())
	}
	for i, name := range names {
		if i > 0 && names[i-1] >= name {
			t.Errorf("%s after %s", name, names[i-1])
		}
		if i%testenv.Times(9, 1, 1) != 0 {
			continue
		}
		if z, err := FindZone(name); err != nil || z == nil && name != "UTC" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "utc", "Mars", "Factory", "Europe/Paris ", "Europe", "+01:00", "../UTC",
		"Europe/Paris 0"} {
		if _, err := FindZone(name); err == nil {
			t.Errorf("there is a zone %q", name)
		}
	}
}

// TestOffsetsLast checks an assumption of toUTC: no zone has three offsets within 2 * maxOffset.
func TestOffsetsLast(t *testing.T) {
	changes := 0
	for i, name := range Zones() {
		zone, err := FindZone(name)
		if err != nil {
			t.Fatal(err)
		}
		if zone == nil || i%testenv.Times(9, 1, 1) != 0 {
			continue
		}
		var last time.Time
		for at := time.Date(1800, 1, 1, 0, 0, 0, 0, zone); at.Year() < 2050; {
			_, next := at.ZoneBounds()
			if next.IsZero() {
				break
			}
			if !next.After(at) { // Go ends the zone a day early in a leap year
				next = at.Add(24 * time.Hour)
			}
			if offsetAt(zone, next.Unix()) != offsetAt(zone, at.Unix()) {
				if next.Sub(last) < 2*maxOffset*time.Second {
					t.Errorf("%s changes its offset at %s and at %s", name, last.UTC(), next.UTC())
				}
				last = next
				changes++
			}
			at = next
		}
	}
	if changes < 1000 {
		t.Errorf("%d changes", changes)
	}
}
