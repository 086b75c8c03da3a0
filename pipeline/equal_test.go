package pipeline

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/report"
)

// TestEqualRecords builds rows of which some are equal, also in two splits. All ways count the same, and
// the report has it with what to do.
func TestEqualRecords(t *testing.T) {
	rows := func(n, copies int, part func(i int) string) string {
		text := "v,part\n"
		for i := range n {
			text += fmt.Sprintf("%d,%s\n", i%(n-copies), part(i))
		}
		return text
	}
	one := func(int) string { return "train" }
	for name, test := range map[string]struct {
		csv, keys string
		want      *dataset.EqualRecords
		said      []string
	}{
		"none": {rows(200, 0, one), "", nil, nil},
		"copies": {rows(200, 30, one), "", &dataset.EqualRecords{Records: 30},
			[]string{"30 of 200 records are equal to another one; dedupe: {} keeps one of equal rows"}},
		"two splits": {
			rows(200, 1, func(i int) string { return map[bool]string{true: "test", false: "train"}[i > 190] }),
			"split: {column: part}\n",
			&dataset.EqualRecords{Records: 1, Shared: map[string]int64{"train": 1, "test": 1}},
			[]string{"1 of 200 records is equal to another one; dedupe: {} keeps one of equal rows",
				"records that another split has, too: 1 of test, 1 of train; split.by or dedupe avoids it, and " +
					"checks: {leakage: 0} watches it"},
		},
		"deduped":       {rows(200, 30, one), "dedupe: {}\n", nil, nil},
		"no statistics": {rows(200, 30, one), "statistics: false\n", nil, nil},
	} {
		for _, file := range []string{"a.csv", "a.csv.gz"} {
			data := test.csv
			if file != "a.csv" {
				data = filetest.Gzip(data)
			}
			cfg := load(t, testenv.Directory(t, map[string]string{file: data}),
				"name: d\noutput: out\nshards: 3\nsource: {csv: {files: "+file+"}}\n"+test.keys+"features: {v: "+
					"int64}\n")
			out := sameEveryWay(t, cfg)
			if got := manifestOf(t, out).Equal; !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s: %+v, want %+v", name, got, test.want)
			}
			if tree(t, droppedByTasks(t, cfg)) != tree(t, out) {
				t.Errorf("%s, by tasks: other bytes", name)
			}
			var said []string
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Sync: true,
				Inform: func(text string) { said = append(said, text) }}
			stopLate(t, cfg, run, 2)
			said = nil
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			if tree(t, run.Output) != tree(t, out) {
				t.Errorf("%s, resumed: other bytes", name)
			}
			isAboutEqual := func(text string) bool {
				return strings.Contains(text, "equal to another one;") || strings.Contains(text, "another split")
			}
			if got := slices.DeleteFunc(said, func(text string) bool { return !isAboutEqual(text) }); !slices.Equal(got,
				test.said) {
				t.Errorf("%s: said %q, want %q", name, got, test.said)
			}
			page, err := os.ReadFile(filepath.Join(out, report.Name))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(html.UnescapeString(string(page)),
				"equal to another one"); got != (test.want != nil) {
				t.Errorf("%s: the report has it: %t", name, got)
			}
		}
	}
}
