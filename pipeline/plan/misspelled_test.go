package plan

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/pipeline/config"
)

// TestMisspelledSplits has splits that a column names, each with the name that it probably means.
func TestMisspelledSplits(t *testing.T) {
	for splits, want := range map[string]string{
		"train 9, validation 1, test 1":          "",
		"train 9, vaild 1":                       "vaild: valid",
		"trian 9, test 1":                        "trian: train",
		"train 9, Train 1":                       "Train: train",
		"train 9, training 1":                    "",
		"TRAIN 9, TEST 1":                        "",
		"Train 9, train 1":                       "train: Train",
		"train 9, validaton 3, tset 1, test 2":   "validaton: validation; tset: test",
		"holdout 9, houldout 1":                  "houldout: holdout",
		"houldout 1, holdout 1":                  "",
		"eval 9, val 1":                          "",
		"rest 9, test 1":                         "",
		"fold_0 9, fold_1 8, fold_2 7":           "",
		"train1 9, train2 8":                     "",
		"test_clean 9, test_other 1, test_a 1":   "",
		"train 9, validation 0, validatoin 0":    "",
		"german 9, french 8, english 7, dutch 6": "",
	} {
		cfg, p := load(t, ""), &Plan{}
		for s := range strings.SplitSeq(splits, ", ") {
			var split Split
			if _, err := fmt.Sscan(s, &split.Name, &split.Rows); err != nil {
				t.Fatal(err)
			}
			p.Splits = append(p.Splits, split)
		}
		checkMisspelled(t, splits, p.MisspelledSplits(cfg), want)
	}
	p := &Plan{Splits: []Split{{Name: "vaild", Rows: 1}, {Name: "holdoot", Rows: 9}, {Name: "holdout"}}}
	checkMisspelled(t, "a map", p.MisspelledSplits(load(t, "  map: {a: vaild, b: holdoot}\n")), "")
	mixed, err := config.Parse("c.yaml",
		[]byte("name: d\noutput: o\nsources: [{csv: a.csv, split: holdout}, {csv: b.csv, split: {column: "+
			"part}}]\nfeatures: {x: int64}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkMisspelled(t, "two sources", p.MisspelledSplits(mixed), "vaild: valid; holdoot: holdout")
}

// checkMisspelled checks the names that warnings suggest.
func checkMisspelled(t *testing.T, splits string, warnings []string, want string) {
	t.Helper()
	var got []string
	for _, w := range warnings {
		_, name, _ := strings.Cut(strings.TrimSuffix(w, ", …}"), "map: {")
		got = append(got, name)
	}
	if strings.Join(got, "; ") != want {
		t.Errorf("%s: %q; want %s", splits, warnings, want)
	}
}
