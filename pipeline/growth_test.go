package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/internal/testenv"
)

// A growing is a dataset with a size that can grow.
type growing struct {
	name   string
	n      int // smaller size
	all    int // the same, if all cases are tested
	config func(n int) string
	files  func(n int) map[string]string
}

// lines joins the results of `of` for the numbers below n.
func lines(n int, separator string, of func(i int) string) string {
	var list []string
	for i := range n {
		list = append(list, of(i))
	}
	return strings.Join(list, separator)
}

func numbered(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// wide is a config with n features of a source.
func wide(source, feature string) func(n int) string {
	return func(n int) string {
		return "source: {" + source + "}\nlimits: {columns: 1000000}\nfeatures:\n" + lines(n, "\n", numbered(feature)) +
			"\n"
	}
}

var growings = []growing{
	{"features of CSV", 250, 2_000, wide("csv: {files: a.csv}", "  c%d: int64"), func(n int) map[string]string {
		return map[string]string{"a.csv": lines(n, ",", numbered("c%d")) + "\n" +
			strings.Repeat(lines(n, ",", numbered("%d"))+"\n", 3)}
	}},
	{"features of JSON lines", 250, 2_000, wide("jsonl: {files: a.jsonl}", "  c%d: int64"),
		func(n int) map[string]string {
			return map[string]string{"a.jsonl": strings.Repeat("{"+lines(n, ",", numbered(`"c%d": 1`))+"}\n", 3)}
		}},
	{"features of paths", 250, 2_000, wide("jsonl: {files: a.jsonl}", "  c%d: {from: a.b.c%[1]d, type: int64}"),
		func(n int) map[string]string {
			return map[string]string{"a.jsonl": strings.Repeat(`{"a": {"b": {`+lines(n, ",",
				numbered(`"c%d": 1`))+"}}}\n", 3)}
		}},
	{"features that no row has", 250, 2_000, wide("jsonl: {files: a.jsonl}", "  c%d: {type: int64, missing: omit}"),
		func(int) map[string]string {
			return map[string]string{"a.jsonl": strings.Repeat(`{"d": 1}`+"\n", 50)}
		}},
	{"features of one column", 250, 2_000, wide("csv: {files: a.csv}", "  f%d: {from: c, type: int64}"),
		func(int) map[string]string {
			return map[string]string{"a.csv": "c\n1\n2\n"}
		}},
	{"columns of a feature", 500, 2_000, func(n int) string {
		return "source: {csv: {files: a.csv}}\nlimits: {columns: 1000000}\nfeatures: {x: {type: int64, from: [" +
			lines(n, ", ", numbered("c%d")) + "]}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": lines(n, ",", numbered("c%d")) + "\n" + lines(n, ",", numbered("%d")) + "\n"}
	}},
	{"classes", 2000, 100_000, func(n int) string {
		return "source: {csv: {files: a.csv}}\nfeatures: {x: {classes: [" + lines(n, ", ", numbered("c%d")) + "]}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x\n" + lines(n, "\n", numbered("c%d")) + "\n"}
	}},
	{"classes of all rows", 2000, 100_000, func(int) string {
		return "source: {csv: {files: a.csv}}\nfeatures: {x: {classes: auto}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x\n" + lines(n, "\n", numbered("c%d")) + "\n"}
	}},
	{"null values of a source", 2000, 20_000, func(n int) string {
		return "source: {csv: {files: a.csv, null_values: [" + lines(n, ", ", numbered("c%d")) +
			"]}}\nwhere: x != 'd1'\nfeatures: {x: string}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x\n" + lines(n, "\n", numbered("d%d")) + "\n"}
	}},
	{"null values of a feature", 2000, 20_000, func(n int) string {
		return "source: {csv: {files: a.csv}}\nfeatures: {x: {type: string, null_values: [" +
			lines(n, ", ", numbered("c%d")) + "]}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x\n" + lines(n, "\n", numbered("d%d")) + "\n"}
	}},
	{"unknown classes", 1500, 100_000, func(int) string {
		return "source: {csv: {files: a.csv}}\nfeatures: {x: {classes: [c1, c2]}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x\n" + lines(n, "\n", numbered("d%d")) + "\n"}
	}},
	{"kinds of bad rows", 250, 2500, wide("csv: {files: a.csv}", "  c%d: int64"), func(n int) map[string]string {
		return map[string]string{"a.csv": lines(n, ",", numbered("c%d")) + "\n" +
			strings.Repeat(lines(n, ",", numbered("x%d"))+"\n", 3)}
	}},
	{"columns of from_path", 12, 25, func(n int) string {
		return "source: {folder: {dir: in}, from_path: '" + lines(n, "_", numbered("{c%d}")) + ".txt'}\nfeatures:\n" +
			lines(n, "\n", numbered("  c%d: bytes")) + "\n"
	}, func(int) map[string]string {
		files := map[string]string{}
		for i := range 50 {
			files[fmt.Sprintf("in/%d%s.txt", i, strings.Repeat("_x", 110))] = "x"
		}
		return files
	}},
	{"length of a name", 10_000, 1_000_000, func(n int) string {
		return "source: {csv: {files: a.csv}}\nlimits: {record: 1GiB}\nfeatures: {x: {type: int64, from: " +
			strings.Repeat("x", n) + "}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": strings.Repeat("x", n) + "\n1\n2\n"}
	}},
	{"length of a path", 100, 10_000, func(n int) string {
		return "source: {jsonl: {files: a.jsonl}}\nfeatures: {x: {from: " + strings.Repeat("a.", n) +
			"b, type: int64, missing: omit}}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.jsonl": `{"a": {"a": 1}}` + "\n"}
	}},
	{"shards", 50, 1000, func(n int) string {
		return fmt.Sprintf("source: {csv: {files: a.csv}}\nshards: %d\nfeatures: {x: int64}\n", n)
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x\n" + lines(2*n, "\n", numbered("%d")) + "\n"}
	}},
	{"splits", 25, 25, func(int) string {
		return "source: {csv: {files: a.csv}, split: {column: s}}\nfeatures: {x: int64}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x,s\n" +
			lines(200*n, "\n", func(i int) string { return fmt.Sprintf("%d,s%d", i, i%n) }) + "\n"}
	}},
	{"rows of a group", 1_000, 20_000, func(int) string {
		return "source: {csv: {files: a.csv}}\nrecord: sequence\ngroup: {by: [g], sort: x}\ncontext: {g: " +
			"string}\nsequence: {x: int64}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x,g\n" + lines(n, "\n", func(i int) string {
			return fmt.Sprintf("%d,a", n-i)
		}) +
			"\n"}
	}},
	{"compared columns", 1_000, 5_000, func(n int) string {
		return fmt.Sprintf("source: {csv: {files: a.csv}}\nlimits: {columns: 1000000}\nstatistics: false\ndedupe: "+
			"{}\nfeatures: {x: {type: int64, from: 'c{1..%d}'}}\n", n)
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": lines(n+1, ",", numbered("c%d")) + "\n" + lines(n+1, ",", numbered("%d")) +
			"\n"}
	}},
	{"columns of group.by", 250, 2_000, func(n int) string {
		return "source: {csv: {files: a.csv}}\nlimits: {columns: 1000000}\nstatistics: false\ngroup: {by: [" +
			lines(n, ", ", numbered("c%d")) + "]}\nfeatures:\n" + lines(n, "\n", numbered("  c%d: int64")) + "\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": lines(n, ",", numbered("c%d")) + "\n" +
			strings.Repeat(lines(n, ",", numbered("%d"))+"\n", 3)}
	}},
	{"groups", 1_000, 20_000, func(int) string {
		return "source: {csv: {files: a.csv}}\nrecord: sequence\ngroup: {by: [g], sort: x}\ncontext: {g: " +
			"string}\nsequence: {x: int64}\n"
	}, func(n int) map[string]string {
		return map[string]string{"a.csv": "x,g\n" +
			lines(n, "\n", func(i int) string { return fmt.Sprintf("%d,g%d", i, i) }) + "\n"}
	}},
}

// TestGrowth checks, plans, and builds with four times as much of everything that can grow. A
// sample builds every fifth case.
func TestGrowth(t *testing.T) {
	for i, g := range growings {
		if i%testenv.Times(5, 1, 1) != 0 {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			if testenv.Exhaustive() {
				g.n = g.all
			}
			commands := map[string]func(n int) func(){
				"check": g.with(t, func(text, dir string, run Run) { _ = Check(t.Context(), load(t, dir, text), run) }),
				"plan": g.with(t, func(text, dir string, run Run) {
					_, _ = MakePlan(t.Context(), load(t, dir, text), run)
				}),
				"build": g.with(t, func(text, dir string, run Run) {
					_, _ = Build(t.Context(), load(t, dir, text), run)
				}),
			}
			for name, command := range commands {
				if name == "build" || testenv.Exhaustive() {
					t.Run(name, func(t *testing.T) { cost.Linear(t, command(g.n), command(4*g.n)) })
				}
			}
		})
	}
}

// with writes the files of a size, and calls do with the config.
func (g *growing) with(t *testing.T, do func(text, dir string, run Run)) func(n int) func() {
	return func(n int) func() {
		dir := testenv.Directory(t, g.files(n))
		text := "name: d\noutput: out\n" + g.config(n)
		return func() {
			do(text, dir, Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")})
		}
	}
}
