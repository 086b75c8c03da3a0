package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tfr-build/dataset"
	"tfr-build/pipeline"
)

// exposition parses the text format of Prometheus strictly: samples by name and labels. Each family
// is one block after its HELP and TYPE, and no sample occurs twice.
func exposition(text string) (map[string]float64, error) {
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("it is no text of lines")
	}
	samples, families := map[string]float64{}, map[string]bool{}
	helped, typed := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := expositionHelp.FindStringSubmatch(line); m != nil {
			helped = m[1]
			continue
		}
		if m := expositionType.FindStringSubmatch(line); m != nil {
			if m[1] != helped || families[m[1]] {
				return nil, fmt.Errorf("%q is out of place", line)
			}
			typed, families[m[1]] = m[1], true
			continue
		}
		if strings.HasPrefix(line, "# ") {
			continue
		}
		m := expositionSample.FindStringSubmatch(line)
		if m == nil || m[1] != typed {
			return nil, fmt.Errorf("%q is no sample of %s", line, typed)
		}
		value, err := strconv.ParseFloat(m[len(m)-1], 64)
		if _, twice := samples[m[1]+m[2]]; err != nil || twice {
			return nil, fmt.Errorf("%q comes twice, or has no number", line)
		}
		samples[m[1]+m[2]] = value
	}
	return samples, nil
}

const expositionLabel = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"`

var (
	expositionHelp   = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\\]+$`)
	expositionType   = regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:gauge|counter)$`)
	expositionSample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{` + expositionLabel + `(?:,` +
		expositionLabel + `)*\})? (\S+)$`)
)

func TestMetricsText(t *testing.T) {
	began := time.UnixMilli(1_700_000_000_000)
	m := &dataset.Manifest{Splits: []dataset.Split{
		{Name: "train", Records: 8, Shards: []dataset.Shard{{Bytes: 300}, {Bytes: 200}}},
		{Name: "odd \"\\\n\xff", Records: 1, Shards: []dataset.Shard{{Bytes: 70}}},
	}}
	for _, c := range []struct {
		what   string
		change func(*runRecord)
		want   map[string]float64
		not    string
	}{
		{"a success", func(r *runRecord) { r.result = &pipeline.Result{Manifest: m} }, map[string]float64{
			`tfr_build_last_run_timestamp_seconds{name="n",output="/o"}`:              1_700_000_001.5,
			lastSuccess + `{name="n",output="/o"}`:                                    1_700_000_001.5,
			`tfr_build_exit_code{name="n",output="/o"}`:                               0,
			`tfr_build_duration_seconds{name="n",output="/o"}`:                        1.5,
			`tfr_build_up_to_date{name="n",output="/o"}`:                              0,
			`tfr_build_rows{name="n",output="/o",split="train"}`:                      8,
			`tfr_build_bytes{name="n",output="/o",split="train"}`:                     500,
			`tfr_build_shards{name="n",output="/o",split="train"}`:                    2,
			`tfr_build_rows{name="n",output="/o",split="odd \"\\\n` + "\uFFFD" + `"}`: 1,
		}, "tfr_build_rejected_rows"},
		{"a run without a need", func(r *runRecord) {
			r.result, r.rejected = &pipeline.Result{Manifest: m, UpToDate: true}, map[string]int64{"INT_SYNTAX": 2,
				"CSV_RAGGED": 1}
		}, map[string]float64{
			`tfr_build_up_to_date{name="n",output="/o"}`:                      1,
			`tfr_build_rejected_rows{name="n",output="/o",code="CSV_RAGGED"}`: 1,
			`tfr_build_rejected_rows{name="n",output="/o",code="INT_SYNTAX"}`: 2,
		}, "xyz"},
		{"a failure", func(r *runRecord) { r.code, r.before = 143, "1600000000.000" }, map[string]float64{
			`tfr_build_exit_code{name="n",output="/o"}`: 143,
			lastSuccess + `{name="n",output="/o"}`:      1_600_000_000,
		}, "tfr_build_rows"},
		{"a failure at first", func(r *runRecord) { r.code, r.name, r.output = 2, "", "" }, map[string]float64{
			`tfr_build_exit_code{name="",output=""}`: 2,
		}, lastSuccess},
	} {
		r := runRecord{name: "n", output: "/o", began: began, ended: began.Add(1500 * time.Millisecond)}
		c.change(&r)
		text := string(r.text())
		got, err := exposition(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.what, err, text)
		}
		for name, want := range c.want {
			if value, there := got[name]; !there || value != want {
				t.Errorf("%s: %s is %v, %v; want %v", c.what, name, value, there, want)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%s: %s is there\n%s", c.what, c.not, text)
		}
	}
}

// The parser of the test rejects invalid text.
func TestExposition(t *testing.T) {
	const head = "# HELP a b\n# TYPE a gauge\n"
	for _, text := range []string{"", "a 1\n", head + "a 1", head + "b 1\n", head + "a 1\na 1\n",
		head + "a{x=\"\n\"} 1\n",
		head + "a{x=\"\"\"} 1\n", head + "a x\n", head + "a 1\n" + head, "# TYPE a gauge\na 1\n"} {
		if _, err := exposition(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
