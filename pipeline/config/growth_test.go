package config

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/internal/testenv"
)

// TestGrowth parses lists that are four times as long. A sample has every
// twelfth of these lists.
func TestGrowth(t *testing.T) {
	const base = "name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"
	for name, of := range testenv.Some(0, 25, map[string]func(n int) string{
		"features":     func(n int) string { return base + "features:\n" + listed(n, "  f%d: int64\n") },
		"unknown keys": func(n int) string { return base + listed(n, "k%d: x\n") },
		"splits":       func(n int) string { return base + "split: {fractions: {" + listed(n, "s%d: 0%%, ") + "}}\n" },
		"counts":       func(n int) string { return base + "shards: {count: {" + listed(n, "s%d: 1, ") + "}}\n" },
		"classes":      func(n int) string { return base + "features: {x: {classes: [" + listed(n, "c%d, ") + "]}}\n" },
		"maps": func(n int) string {
			return base + "features: {x: {type: int64, map: {" + listed(n, "t%d: 1, ") +
				"}}}\nsplit: {column: y, map: {" + listed(n, "t%d: a, ") + "}}\n"
		},
		"steps": func(n int) string {
			return "name: d\noutput: out\nsource: {jsonl: {files: a.jsonl}}\nrecord: sequence\ncontext:\n" +
				listed(n, "  c%d: int64\n") + "sequence:\n" + listed(n, "  s%d: int64\n")
		},
		"ranges": func(n int) string {
			return base + "features: {x: {type: int64, from: [" + listed(n, "'p{0..9}', ") + "]}}\n"
		},
		"ranges of a text": func(n int) string {
			return base + "features: {x: {type: int64, from: '" + listed(4*n, "{0..0}") + "'}}\n"
		},
		"files": func(n int) string {
			return "name: d\noutput: out\nsource: {csv: {files: [" + listed(n, "c%d.csv, ") + "]}}\n"
		},
		"patterns": func(n int) string {
			return "name: d\noutput: out\nsource: {folder: {dir: x, include: [" + listed(n, "c%d, ") + "]}}\n"
		},
		"extensions": func(n int) string {
			return "name: d\noutput: out\nsource: {folder: {dir: x, extensions: [" + listed(n, "c%d, ") + "]}}\n"
		},
		"columns": func(n int) string {
			return "name: d\noutput: out\nsource: {csv: {files: a.csv, columns: [" + listed(n, "c%d, ") +
				"]}}\nfeatures:\n" + listed(n, "  c%d: int64\n")
		},
		"renamed": func(n int) string {
			return base + "rename: {" + listed(n, "c%d: d%[1]d, ") + "}\nset: {" + listed(n, "e%d: x, ") + "}\n"
		},
		"lists of numbers": func(n int) string {
			return base + "features: {x: {type: int64, shape: [" + listed(n, "1, ") +
				"]}}\n"
		},
		"checks": func(n int) string {
			return base + "features:\n" + listed(n, "  f%d: int64\n") + "checks:\n  features:\n" +
				listed(n, "    f%d: {min: 0}\n")
		},
		"checks of no features": func(n int) string {
			return base + "features:\n" + listed(n, "  f%d: int64\n") + "checks:\n  features:\n" +
				listed(n, "    g%d: {min: 0}\n")
		},
		"values": func(n int) string {
			return base + "features: {x: {classes: [" + listed(n, "c%d, ") + "]}}\nchecks: {features: {x: {values: [" +
				listed(n, "d%d, ") + "]}}}\n"
		},
		"compared columns": func(n int) string {
			return base + "features: {x: int64}\ndedupe: {by: [" + listed(n, "c%d, ") + "]}\n"
		},
		"columns of groups": func(n int) string {
			return base + "group: {by: [" + listed(n, "c%d, ") + "]}\nfeatures:\n" +
				listed(n, "  f%d: {take: first, type: int64}\n")
		},
		"lists of boxes": func(n int) string {
			return "name: d\noutput: out\nsource: {images: {dir: x}, convert: {width: 8, height: 8, boxes: [{xyxy: " +
				"b, unit: pixel, with: [" + listed(n, "c%d, ") + "]}]}}\n"
		},
		"features that follow": func(n int) string {
			return "name: d\noutput: out\nsource: {images: {dir: x, convert: {resize: {short: 8}, boxes: [" +
				listed(n/2, "{xyxy: c%d, unit: pixel}, ") +
				"]}}}\njoin: [{jsonl: {files: o.jsonl}, on: filename}]\nfeatures:\n" +
				listed(n/2, "  c%d: {type: float, shape: [-1, 4]}\n")
		},
		"sources": func(n int) string {
			return "name: d\noutput: out\nsources:\n" + listed(n/4, "- csv: {files: a%d.csv}\n") +
				"features: {x: int64}\n"
		},
	}) {
		t.Run(name, func(t *testing.T) {
			parse := func(n int) func() {
				text := []byte(of(n))
				return func() { _, _ = Parse("c.yaml", text, testEnv) }
			}
			cost.Linear(t, parse(2000), parse(8000))
		})
	}
}

// listed are n entries of a list or a mapping.
func listed(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(format, "%d") || strings.Contains(format, "%[1]d") {
			fmt.Fprintf(&b, format, i)
		} else {
			b.WriteString(format)
		}
	}
	return b.String()
}
