package pipeline

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/pipeline/config"
)

// TestGroupsOfDifferentSources builds groups of rows of three sources, in which different strings mean
// missing. Each row is read with the strings of its own source, whichever source the group begins with.
func TestGroupsOfDifferentSources(t *testing.T) {
	// The strings that mean missing in a.csv, b.csv, and c.jsonl.
	nulls := map[string][]string{"a": {"NA", ""}, "b": {"-", ""}, "c": nil}
	values := []string{"NA", "-", "x", "7"}
	type row struct{ source, g, v, at string }
	var all []row
	files := map[string]string{"a.csv": "g,at,v,w\n", "b.csv": "g,at,v,w\n"}
	for i := range 48 {
		source, v := string("abc"[i*7%3]), values[i*5%4]
		at := fmt.Sprint(100 + i*11%48)
		r := row{source, []string{"g", "h", "NA"}[i/2%3], v, at}
		if i%13 == 12 {
			r.at = values[i%2]
		}
		all = append(all, r)
		if source == "c" {
			files["c.jsonl"] += fmt.Sprintf("{\"g\": %q, \"at\": %q, \"v\": %q, \"w\": [%[3]q, \"y\"]}\n",
				r.g, r.at, r.v)
		} else {
			files[source+".csv"] += fmt.Sprintf("%s,%s,%s,%[3]s;y\n", r.g, r.at, r.v)
		}
	}
	dir := testenv.Directory(t, files)
	const sources = "name: d\noutput: out\nsources: [{csv: {files: a.csv, null_values: NA}}, {csv: {files: b.csv, " +
		"null_values: '-'}}, {jsonl: c.jsonl}]\norder: source\n"
	const group = "group: {by: g, sort: at}\nrecord: sequence\non_error: skip\nmax_errors: 100%\n"
	cfg := load(t, dir, sources+group+"context: {g: string, last: {from: v, type: string, take: last, missing: "+
		"{default: none}}}\n"+
		"sequence: {v: {type: string, missing: {default: none}}, twice: {from: [v, v], type: string, missing: "+
		"{default: none}}}\n")
	out := sameEveryWay(t, cfg)

	// The reference: values are missing by the strings of their own source.
	groups, rejected := map[string][]row{}, map[string]int64{}
	for _, r := range all {
		isNull := func(text string) bool { return slices.Contains(nulls[r.source], text) }
		if isNull(r.g) || isNull(r.at) {
			rejected[r.source]++
			continue
		}
		if isNull(r.v) {
			r.v = "none"
		}
		groups[r.g] = append(groups[r.g], r)
	}
	var want []string
	for g, list := range groups {
		slices.SortStableFunc(list, func(a, b row) int { return strings.Compare(a.at+a.source, b.at+b.source) })
		text := g + " " + list[len(list)-1].v + ":"
		for _, r := range list {
			text += " " + r.v
		}
		for _, r := range list {
			text += " " + r.v + " " + r.v
		}
		want = append(want, text)
	}
	var got []string
	for _, payload := range payloadsOf(t, out)["train"] {
		byKey := map[string]string{}
		texts := func(f message.Feature) (text string) {
			for of := range f.Bytes() {
				text += " " + string(of)
			}
			return text
		}
		message.Walk(message.SequenceExample, []byte(payload),
			func(key []byte, f message.Feature) { byKey[string(key)] = texts(f) },
			func(key []byte, l message.FeatureList) {
				for step := range l.Steps() {
					byKey[string(key)] += texts(step)
				}
			})
		got = append(got, byKey["g"][1:]+byKey["last"]+":"+byKey["v"]+byKey["twice"])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	sum := int64(0)
	for i, name := range []string{"a", "b", "c"} {
		n := manifestOf(t, out).Sources[i].Rejected["MISSING"]
		if sum += n; n != rejected[name] {
			t.Errorf("source %s: %d rows rejected, expected %d", name, n, rejected[name])
		}
	}
	if sum == 0 {
		t.Error("no row is rejected")
	}

	// Cells with several values need the same strings in all sources.
	const cells = "sequence: {w: {type: string, separator: ';', missing: {default: none}}}\n"
	var problems *config.Problems
	if _, err := buildTo(t, load(t, dir, sources+group+cells), ways[0]); !errors.As(err, &problems) ||
		problems.List[0].Path != "sequence.w" {
		t.Errorf("different null_values of cells with a separator: %v", err)
	}
	if _, err := buildTo(t, load(t, dir, sources+group+strings.Replace(cells, "separator",
		"null_values: [NA], separator", 1)), ways[0]); err != nil {
		t.Errorf("null_values of the feature: %v", err)
	}
}

// TestClassesOfRows collects the class names of features with a value for each row of a group. The name
// that fills short windows is one of them.
func TestClassesOfRows(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "g,c,d\na,x,y\na,z,x\nb,x,w\n"})
	for form, want := range map[string]string{
		"features: {c: {classes: auto}}\n":                                 "x z",
		"features: {c: {classes: auto, from: [c, d]}}\n":                   "w x y z",
		"record: sequence\nsequence: {c: {classes: auto}}\n":               "x z",
		"record: sequence\nsequence: {c: {classes: auto, from: [c, d]}}\n": "w x y z",
		"features: {c: {classes: auto, pad: none}}\n":                      "none x z",
		"record: sequence\nsequence: {c: {classes: auto, pad: none}}\n":    "none x z",
	} {
		group := "group: {by: g}\n"
		if strings.Contains(form, "pad") {
			group = "group: {by: g, windows: {length: 2, last: pad}}\n"
		}
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\norder: source\n"+group+form)
		out := mustBuild(t, cfg, ways[0])
		if got := strings.Join(classesOf(t, out, "c"), " "); got != want {
			t.Errorf("%s: found the classes %q, expected %q", form, got, want)
		}
		if err := Check(t.Context(), cfg,
			Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "none")}); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}
