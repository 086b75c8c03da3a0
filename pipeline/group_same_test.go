package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestEqualInGroups builds a group whose rows differ in each of the values that a group has once: the
// error names two rows. Without the row that differs, the group is built.
func TestEqualInGroups(t *testing.T) {
	const head = "name: d\noutput: out\ngroup: {by: g, sort: {column: n, type: int64}}\norder: source\n"
	const source = "source: {csv: {files: a.csv, null_values: ['']}}\n"
	const two = "sources:\n- csv: {files: a.csv}\n  split: %s\n- csv: {files: b.csv}\n  split: %s\n"
	const x = "features: {n: {type: int64}}\n"
	const a, b = "split: {fractions: {train: 50%, test: 50%}", "}\n"
	type one = struct{ cfg, rows, differs, want string }
	for name, test := range testenv.Some(0, 3, map[string]one{
		"order_key": {
			source + x + "order_key: v\n", "g,1,a", "g,2,b",
			`column "v": found "b" and "a" in one group, which has one value; the other row is a.csv:2:1`,
		},
		"split.by": {
			source + x + a + ", by: v" + b, "g,1,a", "g,2,b",
			`column "v": found "b" and "a" in one group, which has one value; the other row is a.csv:2:1`,
		},
		"split.column": {
			source + x + "split: {column: v}\n", "g,1,train", "g,2,test",
			`column "v": found "test" and "train" in one group, which has one value; the other row is a.csv:2:1`,
		},
		"stratify": {
			source + x + a + ", stratify: v" + b, "g,1,a", "g,2,b",
			`column "v": found "b" and "a" in one group, which has one value; the other row is a.csv:2:1`,
		},
		"stratify, missing": {
			source + x + a + ", stratify: v" + b, "g,1,", "g,2,b",
			`column "v": found "b" and no value in one group, which has one value; the other row is a.csv:2:1`,
		},
		"limit.per": {
			source + x + "limit: {train: {rows: 1, per: v}}\n", "g,1,a", "g,2,",
			`column "v": found no value and "a" in one group, which has one value; the other row is a.csv:2:1`,
		},
		"stratify and limit.per": {
			source + x + a + ", stratify: g" + b + "limit: {train: {rows: 1, per: g}, test: {rows: 1, per: v}}\n",
			"g,1,a",
			"g,2,b", `column "v": found "b" and "a" in one group, which has one value; the other row is a.csv:2:1`,
		},
		"a context feature": {
			source + "record: sequence\ncontext: {v: string}\nsequence: {n: int64}\n", "g,1,a", "g,2,b",
			`feature "v": found "b" and "a" in one group, which has one value unless take says which; the other row ` +
				`is a.csv:2:1`,
		},
		"the split of the source": {
			fmt.Sprintf(two, "train", "test") + x, "g,1,a", "b.csv g,2,a",
			`found the splits test and train in one group, which is in one split; the other row is a.csv:2:1`,
		},
		"the populations of sources": {
			fmt.Sprintf(two, "{fractions: {train: 50%, test: 50%}, stratify: v}",
				"{fractions: {train: 60%, test: 40%}, stratify: v}") + x, "g,1,a", "b.csv g,2,a",
			`found rows of sources with different keys of split in one group, which is in one split; the other row ` +
				`is a.csv:2:1`,
		},
		"split.by of one source": {
			fmt.Sprintf(two, "train", "{fractions: {train: 100%}, by: v}") + x, "g,1,a", "b.csv g,2,a",
			`found rows of sources with different keys of split in one group, which is in one split; the other row ` +
				`is a.csv:2:1`,
		},
	}) {
		cfg := test.cfg
		if strings.Contains(cfg, "order_key") {
			cfg = strings.Replace(head, "order: source\n", "", 1) + cfg
		} else {
			cfg = head + cfg
		}
		for _, differs := range []bool{true, false} {
			other, isOfB := strings.CutPrefix(test.differs, "b.csv ")
			files := map[string]string{"a.csv": "g,n,v\n" + test.rows + "\n", "b.csv": "g,n,v\nh,1,train\n"}
			place := "a.csv:3:1: "
			if differs && isOfB {
				files["b.csv"], place = "g,n,v\n"+other+"\n", "b.csv:2:1: "
			} else if differs {
				files["a.csv"] += other + "\n"
			}
			dir := testenv.Directory(t, files)
			for _, w := range everyWay(t) {
				_, err := buildTo(t, load(t, dir, cfg), w)
				got, want := strings.Join(linesOf(dir, err), "\n"), ""
				if differs {
					want = place + test.want + " [GROUP_DIFFERS]"
				}
				if got != want {
					t.Errorf("%s, %+v:\n%s\nexpected\n%s", name, w, got, want)
				}
			}
			err := Check(t.Context(), load(t, dir, cfg),
				Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "none")})
			if (err != nil) != differs || err != nil && !strings.Contains(err.Error(), "GROUP_DIFFERS") {
				t.Errorf("%s: check: %v", name, err)
			}
		}
	}
}
