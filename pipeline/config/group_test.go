package config

import (
	"strings"
	"testing"
)

// TestInvalidGroups checks what group excludes. Each config has one problem, at a key.
func TestInvalidGroups(t *testing.T) {
	const head = "name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"
	const one = "features: {x: int64}\n"
	for text, want := range map[string]string{
		"group: {by: []}\n" + one:                                 "group.by",
		"group: {by: [g, g]}\n" + one:                             "group.by[1]",
		"group: {by: '@split'}\n" + one:                           "group.by",
		"group: {sort: t}\n" + one:                                "group.by",
		"group: {by: g, sort: {column: t, type: string}}\n" + one: "group.sort.type",
		"group: {by: g, windows: {stride: 2}}\n" + one:            "group.windows.length",
		"group: {by: g, windows: {length: 2000000}}\n" + one:      "group.windows.length",
		"group: {by: g, windows: {length: 1000000, last: pad}}\nrecord: sequence\nsequence: {x: {type: int64, shape: " +
			"[100], separator: ' ', pad: 0}}\n": "group.windows.length",
		"group: {by: g, windows: {length: 3, last: pad}}\n" +
			one: "features.x",
		"group: {by: g}\nrecord: json\n" + one:     "group",
		"group: {by: g}\nformat: ofrecord\n" + one: "group",
		"group: {by: g}\nfeatures: {x: {type: int64, missing: " +
			"omit}}\n": "features.x.missing",
		"group: {by: g}\nfeatures: {x: {type: int64, separator: ' " +
			"'}}\n": "features.x.separator",
		"group: {by: g}\nfeatures: {x: {type: int64, from: [a, " +
			"'@id']}}\n": "features.x.from",
		"group: {by: g}\nrecord: sequence\nsequence: {x: {type: int64, take: " +
			"first}}\n": "sequence.x.take",
		"group: {by: g}\nrecord: sequence\nlengths: free\nsequence: {x: int64}\n": "lengths",
		"group: {by: g}\nrecord: sequence\nsequence: {x: {type: int64, missing: " +
			"empty_list}}\n": "sequence.x.missing",
		"group: {by: g}\nrecord: sequence\nsequence: {x: {value: " +
			"1}}\n": "sequence.x.value",
		"features: {x: {type: int64, take: " +
			"last}}\n": "features.x.take",
		"features: {x: {from: '@steps', type: " +
			"int64}}\n": "features.x",
		"features: {x: {from: '@step', type: " +
			"int64}}\n": "features.x",
		"derive: {y: '@step == 0'}\n" +
			one: "derive.y",
		"group: {by: g, sort: '@step'}\n" +
			one: "group.sort",
		"group: {by: g}\nwhere: '@steps > 1'\n" + one: "where",
		"group: {by: g}\norder_key: y\nderive: {y: '@step'}\n" +
			one: "order_key",
		"group: {by: g}\ndedupe: {}\nderive: {x: 'y + @step'}\n" + one: "dedupe",
		"group: {by: g}\nderive: {y: '@step'}\nfeatures: {y: {classes: " +
			"auto}}\n": "features.y.classes",
		"group: {by: g}\nderive: {y: '@steps + 1'}\nrecord: sequence\nsequence: {x: int64}\ncontext: {y: " +
			"int64}\n": "context.y",
		"group: {by: g}\nrecord: sequence\nsequence: {x: int64}\ncontext: {y: {type: int64, from: " +
			"'@step'}}\n": "context.y",
	} {
		problems := parseInvalid(t, "c.yaml", []byte(head+text))
		var paths []string
		found := false
		for _, p := range problems.List {
			paths = append(paths, p.Path+": "+p.Text)
			found = found || p.Path == want
		}
		if !found {
			t.Errorf("%s: found\n%s\nexpected a problem at %s", text, strings.Join(paths, "\n"), want)
		}
	}
}
