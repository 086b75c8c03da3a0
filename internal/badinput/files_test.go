package badinput

// fileFaults are inputs that are not there, or where they should not be.
func fileFaults() []fault {
	table := map[string]string{"t.csv": "a,b\n1,2\n", "in/t.csv": "a,b\n1,2\n"}
	features := "features: {a: int64}\n"
	skips := func(v verdict, name, table string) fault {
		config := "source: {csv: {files: t.csv}, join: {csv: {files: s.csv}, derive: {n: int(b)}, on: a}}\n"
		config += "features: {a: int64, n: int64}\non_error: skip\nmax_errors: 100\n"
		return input(v, name, config, map[string]string{"t.csv": "a\n1\n2\n", "s.csv": table})
	}
	tables := map[string]string{"t.csv": "a,k\n1,x\n", "s/1.csv": "a,b,c,n\n1,x,one,5\n1,x,two,y\n",
		"s/x2.csv": "a,b,c,n\n1,,three,\n"}
	return []fault{
		input(refused, "a missing file", "source: {csv: {files: none.csv}}\n"+features, table),
		input(refused, "a pattern without a file", "source: {csv: {files: \"none*.csv\"}}\n"+features, table),
		input(refused, "the home directory", "source: {csv: {files: ~/t.csv}}\n"+features, table).at("~/out"),
		input(accepted, "a directory named like the home directory", "source: {csv: {files: ./~/t.csv}}\n"+features,
			map[string]string{"~/t.csv": "a\n1\n"}).at("./~/out"),
		input(refused, "a directory for a file", "source: {csv: {files: in}}\n"+features, table),
		input(refused, "a missing directory", "source: {images: {dir: none}}\nfeatures: {image: {from: image}}\n",
			table),
		input(refused, "a duplicate file", "source: {csv: {files: [t.csv, \"*.csv\"]}}\n"+features, table),
		input(refused, "the same name in two sources",
			"sources:\n- csv: {files: t.csv}\n- csv: {files: in/t.csv}\n"+features, table),
		input(accepted, "the same name in two named sources",
			"sources:\n- {name: x, csv: {files: t.csv}}\n- csv: {files: in/t.csv}\n"+features, table),
		input(refused, "outside of the root", "source: {csv: {files: t.csv, root: in}}\n"+features, table),
		input(refused, "the output inside the input", "source: {folder: {dir: .}}\nfeatures: {content: bytes}\n",
			table),
		input(refused, "a missing class file", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: none.txt}}\n",
			table),
		input(refused, "a blank line in a class file", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: "+
			"n.txt}}\n", map[string]string{"t.csv": "a\n1\n", "n.txt": "1\n\n2\n"}),
		input(refused, "a doubled name in a class file", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: "+
			"n.txt}}\n", map[string]string{"t.csv": "a\n1\n", "n.txt": "1\r\n2\r\n1\r\n"}),
		input(refused, "a gap in a label map", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: n.pbtxt}}\n",
			map[string]string{"t.csv": "a\n1\n", "n.pbtxt": "item { id: 1 name: '1' }\nitem { id: 4 name: '4' }\n"}),
		input(refused, "names in a label map", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: n.pbtxt}}\n",
			map[string]string{"t.csv": "a\n1\n", "n.pbtxt": "one\ntwo\n"}),
		input(refused, "a class per file too many",
			"source: {images: {dir: in, extensions: any, class_per_file: t.csv}}\nfeatures: {class: bytes}\n", table),
		input(badRow, "a path that does not fit",
			"source:\n  csv: {files: [t.csv, in/t.csv]}\n  from_path: \"{x}/{y}.csv\"\n"+features, table),
		input(refused, "a lookup table of doubles",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n",
			map[string]string{"t.csv": "a\n1\n", "s.csv": "a,c\n1,x\n1,y\n"}),
		input(refused, "a clash with a lookup table",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64}\n",
			map[string]string{"t.csv": "a,c\n1,2\n", "s.csv": "a,c\n1,x\n"}),
		input(badRow, "no match in a lookup table",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n",
			map[string]string{"t.csv": "a\n1\n2\n", "s.csv": "a,c\n1,x\n"}),
		input(refused, "no match in all of a lookup table",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a, many: true}]\nfeatures: {a: int64, "+
				"c: {type: bytes, shape: [-1]}}\n", map[string]string{"t.csv": "a\n1\n2\n", "s.csv": "a,c\n01,x\n"}),
		input(accepted, "no match, which is allowed",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a, many: true, allow_empty: "+
				"true}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n",
			map[string]string{"t.csv": "a\n1\n2\n", "s.csv": "a,c\n01,x\n"}),
		input(badRow, "a value of a lookup table in one line",
			"source: {csv: {files: t.csv}}\njoin: [{json: {files: s.json, rows: list}, on: a, many: "+
				"true}]\nfeatures: {a: int64, c: {type: int64, shape: [-1]}}\n",
			map[string]string{"t.csv": "a\n1\n", "s.json": `{"list": [{"a": 1.0, "c": 2}, {"a": 1, "c": "x"}]}`}),
		input(badRow, "a list to join on",
			"source: {jsonl: {files: t.jsonl}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {c: bytes}\n",
			map[string]string{"t.jsonl": "{\"a\": 1}\n{\"a\": [1]}\n", "s.csv": "a,c\n1,x\n"}),
		input(refused, "a list to join on in a lookup table",
			"source: {csv: {files: t.csv}}\njoin: [{jsonl: {files: s.jsonl}, on: a}]\nfeatures: {c: bytes}\n",
			map[string]string{"t.csv": "a\n1\n", "s.jsonl": "{\"a\": [1], \"c\": \"x\"}\n"}),
		input(refused, "a join on a list of many",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a, many: true}, {csv: {files: u.csv}, "+
				"on: b, many: true}]\nfeatures: {c: bytes}\n",
			map[string]string{"t.csv": "a\n1\n", "s.csv": "a,b\n1,2\n",
				"u.csv": "b,c\n2,x\n"}),
		input(refused, "a bad lookup table",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n",
			map[string]string{"t.csv": "a\n1\n2\n", "s.csv": "a,c\n1,x\n2\n"}),
		skips(warned, "an invalid row of a lookup table, which a row matches", "a,b\n1,2\n2,x\n"),
		skips(refused, "an invalid row of a lookup table without its key", "a,b\n1,2\n2\n"),
		input(accepted, "a lookup table of several files and keys",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, from_path: \"{p}.csv\", where: 'n != "+
				"\"y\"', on: {a: a, k: b}, many: true}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n",
			tables),
		input(refused, "a file of a lookup table that does not fit",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, from_path: \"{p:[0-9]+}.csv\", on: "+
				"a, many: true, prefix: s.}, {csv: s/1.csv, on: a, many: true}]\nfeatures: {a: int64, c: {type: "+
				"bytes, shape: [-1]}}\n",
			tables),
		input(refused, "a missing value to sort by",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, on: a, many: {sort: n}}]\nfeatures: "+
				"{a: int64, c: {type: bytes, shape: [-1]}}\n", tables),
		input(refused, "a text to sort by as a number",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, on: a, many: {sort: c, type: "+
				"int64}}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n", tables),
		input(refused, "a lookup table without the column to sort by",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, on: a, many: {sort: "+
				"time}}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n", tables),
		input(refused, "a row of a lookup table that where cannot decide",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, where: n > 3, on: a, many: "+
				"true}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n", tables),
		input(refused, "a derived column of a lookup table without a value",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, derive: {d: int(n)}, where: d > 3, "+
				"on: a, many: true}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n", tables),
		input(refused, "a lookup table of doubled keys",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: \"s/*.csv\"}, on: {a: a, k: b}, prefix: s.}, {csv: "+
				"s/1.csv, on: a, many: true}]\nfeatures: {a: int64, c: {type: bytes, shape: [-1]}}\n", tables),
		input(badRow, "a loaded file that is not there",
			"source: {csv: {files: t.csv}}\nload: {pic: {path: \"{a}.png\", dir: in, as: bytes}}\nfeatures: {pic: "+
				"{type: bytes}}\n", table),
		input(badRow, "a loaded file outside",
			"source: {csv: {files: t.csv}}\nload: {pic: {path: \"{a}.png\", dir: in, as: bytes}}\nfeatures: {pic: "+
				"{type: bytes}}\n", map[string]string{"t.csv": "a\n../x\n", "x.png": "secret", "in/y": ""}),
		input(badRow, "a split without a name", "source: {csv: {files: t.csv}}\nsplit: {column: b}\n"+features,
			map[string]string{"t.csv": "a,b\n1,train\n2,\n"}),
		input(badRow, "a split of a bad name", "source: {csv: {files: t.csv}}\nsplit: {column: b}\n"+features,
			map[string]string{"t.csv": "a,b\n1,train\n2,te/st\n"}),
		input(refused, "a count for a split that is not there",
			"source: {csv: {files: t.csv}}\nsplit: {column: b}\nshards: {count: {train: 1, test: 1}}\n"+features,
			map[string]string{"t.csv": "a,b\n1,train\n"}),
		input(refused, "a split without a count",
			"source: {csv: {files: t.csv}}\nsplit: {column: b}\nshards: {count: {train: 1}}\n"+features,
			map[string]string{"t.csv": "a,b\n1,train\n2,dev\n"}),
		input(refused, "no features, of a table", "source: {csv: {files: t.csv}}\n", table),
		input(refused, "no features, of JSON lines", "source: {jsonl: {files: t.jsonl}}\n",
			map[string]string{"t.jsonl": "{\"b\": 1, \"a\": 2}\n{\"c\": 1}\n"}),
		input(refused, "no features, of images", "source: {images: {dir: in}}\n", table),
		input(refused, "a feature of no column",
			"source: {csv: {files: t.csv}}\nfeatures: {a: int64, c: {type: bytes, from: d}}\n", table),
		input(refused, "auto classes without a text",
			"source: {csv: {files: t.csv}}\nfeatures: {a: {classes: auto, missing: omit}}\n",
			map[string]string{"t.csv": "a,b\n,1\n"}),
	}
}
