package infer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// dateColumns are columns of strings, with the expected feature, or a part of the comment after it.
var dateColumns = []struct {
	name  string
	texts []string
	want  string
}{
	{"iso", []string{"2024-01-31", "1969-12-31", "2024-02-29"},
		`iso: {date: "%Y-%m-%d", unit: days} # "1969-12-31" to "2024-02-29"`},
	{"slashes", []string{"2024/01/31", "2024/02/29"}, `slashes: {date: "%Y/%m/%d", unit: days}`},
	{"us", []string{"01/02/2024", "12/31/2024"}, `us: {date: "%m/%d/%Y", unit: days}`},
	{"european", []string{"01/02/2024", "31/12/2024"}, `european: {date: "%d/%m/%Y", unit: days}`},
	{"either", []string{"01/02/2024", "12/11/2024"},
		`either: string # 2 different strings, the longest has 10 bytes; dates, it seems, and none says whether the ` +
			`month or the day comes first`},
	{"both", []string{"13/02/2024", "02/13/2024"}, `both: string`},
	{"us_clock", []string{"1/2/2024 3:04 PM", "1/13/2024 12:00 AM"},
		`us_clock: {date: "%m/%d/%Y %I:%M %p"} # "1/2/2024 3:04 PM" to "1/13/2024 12:00 AM"; read as UTC unless ` +
			`zone is set`},
	{"dots", []string{"31.12.2024", "1.2.2024"}, `dots: {date: "%d.%m.%Y", unit: days}`},
	{"names", []string{"5 Mar 2024", "31 Dec 1999"}, `names: {date: "%d %b %Y", unit: days}`},
	{"long", []string{"March 5, 2024", "December 31, 1999"}, `long: {date: "%B %d, %Y", unit: days}`},
	{"may", []string{"May 5, 2024", "December 31, 1999"}, `may: {date: "%B %d, %Y", unit: days}`},
	{"sql", []string{"2024-01-31 23:59:59", "2024-02-01 00:00:00"}, `sql: {date: "%Y-%m-%d %H:%M:%S"}`},
	{"minutes", []string{"2024-01-31T23:59", "2024-02-01T00:00"}, `minutes: {date: "%Y-%m-%dT%H:%M"}`},
	{"rfc", []string{"2024-01-31T23:59:59Z", "2024-02-01T03:00:00+02:00"},
		`rfc: {date: rfc3339} # "2024-01-31T23:59:59Z" to "2024-02-01T03:00:00+02:00"; the time in UTC`},
	{"millis", []string{"2024-01-31T23:59:59Z", "2024-02-01T00:00:00.5Z"}, `millis: {date: rfc3339, unit: ms}`},
	{"nanos", []string{"2024-01-31 23:59:59.5", "2024-02-01 00:00:00.123456789"},
		`nanos: {date: "%Y-%m-%d %H:%M:%S.%f", unit: ns}`},
	{"far", []string{"9999-12-31 00:00:00.5", "2024-02-01 00:00:00.123456789"}, `far: string`},
	{"postgres", []string{"2024-01-31 23:59:59+00", "2024-02-01 00:00:00+01"},
		`postgres: {date: "%Y-%m-%d %H:%M:%S%z"}`},
	{"pandas", []string{"2024-01-31 23:59:59 UTC", "2024-02-01 00:00:00 UTC"},
		`pandas: {date: "%Y-%m-%d %H:%M:%S %Z"}`},
	{"mail", []string{"Wed, 31 Jan 2024 23:59:59 +0000", "Thu, 01 Feb 2024 00:00:00 +0100"},
		`mail: {date: "%a, %d %b %Y %H:%M:%S %z"}`},
	{"apache", []string{"31/Jan/2024:23:59:59 +0000", "01/Feb/2024:00:00:00 +0000"},
		`apache: {date: "%d/%b/%Y:%H:%M:%S %z"}`},
	{"some_missing", []string{"2024-01-31", "", "2024-02-01"},
		`some_missing: {date: "%Y-%m-%d", unit: days, missing: omit}`},

	{"version", []string{"1.2.3", "10.20.30"}, `version: string`},
	{"long_version", []string{"1.2.1000", "10.10.3000"}, `long_version: string`},
	{"ip", []string{"10.2.20.24", "192.168.0.1"}, `ip: string`},
	{"id", []string{"20240131", "20240201"}, `id: int64`},
	{"zero_id", []string{"01312024", "02012024"}, `zero_id: string`},
	{"phone", []string{"555-12-2024", "555-13-2025"}, `phone: string`},
	{"mixed", []string{"2024-01-31", "31/01/2024"}, `mixed: string`},
	{"fractions", []string{"2024-01-31 23:59:59", "2024-01-31 23:59:59.5"}, `fractions: string`},
	{"a_word", []string{"2024-01-31", "soon"}, `a_word: string`},
	{"no_day", []string{"2023-02-28", "2023-02-29"}, `no_day: string`},
	{"a_year", []string{"2024", "2023"}, `a_year: int64`},
	{"a_month", []string{"2024-01", "2024-02"}, `a_month: string`},
	{"ranges", []string{"2019-2020", "2020-2021"}, `ranges: string`},
	{"ratio", []string{"1/2/2024x", "1/2/2024y"}, `ratio: string`},
	{"weekday", []string{"Mon, 31 Jan 2024 23:59:59 +0000", "Thu, 01 Feb 2024 00:00:00 +0100"}, `weekday: string`},
}

// TestDates has columns with dates, and some that only look like it. A sample has every sixth.
func TestDates(t *testing.T) {
	const rows = 30
	for i, tt := range dateColumns {
		if i%testenv.Times(6, 1, 1) != 0 {
			continue
		}
		var table, objects strings.Builder
		table.WriteString("n," + tt.name + "\n")
		for i := range rows {
			text := tt.texts[i%len(tt.texts)]
			fmt.Fprintf(&table, "%d,%q\n", i, text)
			if text == "" {
				objects.WriteString("{}\n")
				continue
			}
			fmt.Fprintf(&objects, "{%q: %q}\n", tt.name, text)
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": strings.ReplaceAll(table.String(), `""`, ""),
			"t.jsonl": objects.String()})
		for _, file := range []string{"t.csv", "t.jsonl"} {
			c := written(t, dir, filepath.Join(dir, file))
			text := strings.Join(strings.Fields(string(c.Text)), " ")
			isNumber := strings.HasSuffix(tt.want, "int64")
			want := tt.want
			if name, _, found := strings.Cut(want, ": string"); found {
				want = name + ": {classes: [" // they are few
				if strings.Contains(tt.want, "it seems") {
					want = tt.want
				}
			}
			if isNumber && file == "t.jsonl" {
				continue // which are strings there
			}
			if strings.Contains(text, "date:") != strings.Contains(tt.want, "date:") || !strings.Contains(text, want) &&
				!strings.Contains(text, tt.want) {
				t.Errorf("%s: got\n%s\nwant %s", file, c.Text, tt.want)
			}
			worksIn(t, dir, c)
		}
	}
}

// TestDatesInLists has dates in lists of JSON.
func TestDatesInLists(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.jsonl": `{"at": ["2024-01-31", "2024-02-01"]}` + "\n" +
		`{"at": []}` + "\n"})
	c := written(t, dir, filepath.Join(dir, "t.jsonl"))
	if want := `at: {date: "%Y-%m-%d", unit: days, shape: [-1]}`; !strings.Contains(string(c.Text), want) {
		t.Errorf("got\n%s\nwant %s", c.Text, want)
	}
	works(t, dir, c)
}
