package badinput

import (
	"bytes"
	"compress/gzip"
	"strings"
)

const csvConfig = "source:\n  csv: {files: t.csv}\n"

func csvFault(name, text string, features ...string) fault {
	return csvWith(name, "files: t.csv", text, features...)
}

// csvWith is a table t.csv read with the given keys.
func csvWith(name, keys, text string, features ...string) fault {
	if len(features) == 0 {
		features = []string{"a: bytes"}
	}
	return fault{name, "source:\n  csv: {" + keys + "}\nfeatures:\n  " + strings.Join(features, "\n  ") + "\n", map[string]string{"t.csv": text}}
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// csvFaults are the ways in which a table is no table.
func csvFaults() []fault {
	long := strings.Repeat("x", 3000)
	return []fault{
		csvFault("byte order mark", "\ufeffa\n1\n"),
		csvFault("byte order mark elsewhere is data", "a\n\ufeff1\n", "a: int64"),
		csvFault("utf-16le with a mark", "\xff\xfea\x00\n\x001\x00\n\x00"),
		csvFault("utf-16be without a mark", "\x00a\x00,\x00b\x00\n\x001\x00,\x002\x00\n"),
		csvFault("latin-1 bytes", "a,b\n1,caf\xe9\n"),
		csvFault("latin-1 bytes in a cell nobody wants", "b,a\ncaf\xe9,1\n"),
		csvWith("shift-jis bytes", "files: t.csv", "a\n\x83e\x83X\x83g\n"),
		csvWith("half a surrogate pair", "files: t.csv, encoding: utf-16le", "\xff\xfea\x00\n\x00\x00\xd81\x00\n\x00"),
		csvWith("an odd byte at the end", "files: t.csv, encoding: utf-16le", "a\x00\n\x001\x00\n\x002"),
		csvFault("CRLF, LF and mixtures", "a,b\r\n1,2\n3,4\r\n"),
		csvFault("CR alone ends records", "a,b\r1,2\r3,4\r"),
		csvFault("one CR alone in a later row", "a,b\n1,2\n3\r4,5\n"),
		csvFault("no line end at the end", "a,b\n1,2"),
		csvFault("blank lines", "a,b\n\n1,2\n\n\n"),
		csvFault("a blank line in a table of one column", "a\n1\n\n2\n"),
		csvFault("blank lines at the end of a table of one column", "a\n1\n\n\n"),
		csvFault("empty file", ""),
		csvFault("only a header", "a,b\n"),
		csvFault("only line ends", "\n\n\n"),
		csvWith("no row, which is allowed", "files: t.csv, allow_empty: true", "a,b\n"),
		csvFault("a short row", "a,b,c\n1,2,3\n4,5\n"),
		csvFault("a long row", "a,b\n1,2\n3,4,42\n"),
		csvFault("a doubled header name", "a,a\n1,2\n"),
		csvFault("a doubled header name nobody wants", "a,b,b\n1,2,3\n"),
		csvFault("a missing column", "aa,b\n1,2\n"),
		csvFault("another case", "A,b\n1,2\n"),
		csvFault("spaces in the header", " a,b\n1,2\n"),
		csvFault("a quote in an unquoted cell", "a,b\n24°56'26\"N,2\n1,2\n"),
		csvFault("a quote that is never closed", "a,b\n1,2\n\"3,4\n5,6\n"),
		csvFault("text after a closing quote", "a,b\n\"1\"x,2\n"),
		csvFault("a space before a quote", "a,b\n1, \"2\"\n"),
		csvFault("a backslash before a quote", "a,b\n\"say \\\"hi\\\"\",2\n"),
		csvFault("a NUL", "a,b\n1,x\x00y\n"),
		csvFault("Ctrl-Z at the end", "a,b\n1,2\n\x1a"),
		csvFault("semicolons", "a;b\n1;2\n"),
		csvFault("tabs", "a\tb\n1\t2\n"),
		csvFault("comment lines that no key allows", "a,b\n# a note\n1,2\n"),
		csvWith("comment lines", "files: t.csv, comment: \"#\"", "a,b\n# a note\n1,2\n"),
		{"a record beyond its limit", "limits: {record: 2KB}\n" + csvConfig + "features: {a: bytes}\n", map[string]string{"t.csv": "a,b\n1,2\n" + long + ",3\n4,5\n"}},
		{"a quoted cell beyond the limit", "limits: {record: 2KB}\n" + csvConfig + "features: {a: bytes}\n", map[string]string{"t.csv": "a,b\n1,2\n\"" + long + "\n,3\n4,5\n"}},
		{"too many columns", "limits: {columns: 3}\n" + csvConfig + "features: {a: bytes}\n", map[string]string{"t.csv": "a,b,c,d\n1,2,3,4\n"}},
		csvWith("lines before the header", "files: t.csv", "exported 2024\n\na,b\n1,2\n"),
		csvWith("lines before the header, skipped", "files: t.csv, skip_lines: 2", "exported 2024\n\na,b\n1,2\n"),
		csvFault("two tables in one file", "a,b\n1,2\n\nc,d,e\n1,2,3\n"),
		csvFault("HTML", "<!DOCTYPE html><html><body>404</body></html>\n"),
		csvFault("JSON", "{\"a\": 1}\n{\"a\": 2}\n"),
		csvFault("a workbook", "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00xl/workbook.xml"),
		csvFault("gzip named .csv", zipped("a,b\n1,2\n")),
		csvFault("several gzip members", zipped("a,b\n1,2\n")+zipped("3,4\n")),
		csvFault("gzip cut short", zipped(strings.Repeat("a,b\n1,2\n", 50000))[:200]),
		csvFault("bytes after gzip", zipped("a,b\n1,2\n")+"garbage"),
		csvWith("names that do not fit the header", "files: t.csv, columns: [a, b, c]", "x,y\n1,2\n"),
		csvWith("names that do not fit the rows", "files: t.csv, header: false, columns: [a, b, c]", "1,2\n"),
		{"one file lacks a column", "source:\n  csv: {files: \"*.csv\"}\nfeatures: {a: bytes}\n", map[string]string{"1.csv": "a,b\n1,2\n", "2.csv": "b\n1\n"}},
		{"an empty file among others", "source:\n  csv: {files: \"*.csv\"}\nfeatures: {a: bytes}\n", map[string]string{"1.csv": "a,b\n1,2\n", "2.csv": ""}},
	}
}

// valueFaults are the cells that no feature takes.
func valueFaults() []fault {
	var list []fault
	cell := func(typ string, cells ...string) { // the first of them is good
		for _, c := range cells[min(1, len(cells)-1):] {
			list = append(list, csvFault(typ+" "+c, "a,b\n"+cells[0]+",x\n"+c+",x\n", "a: "+typ))
		}
	}
	cell("int64", "1", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1.0", "1e3", "\" 1\"", "0x10", "1_000", "+5", "\"1,5\"", "１２", "007", "NA", "", "\"\"")
	cell("uint8", "1", "255", "256", "-1")
	cell("uint64", "9223372036854775807", "9223372036854775808", "18446744073709551616")
	cell("{type: int64, int_from_float: true}", "180.0", "180.5", "1e400")
	cell("float", "1", "1e400", "1e39", "3.5e38", "1e-400", "NaN", "inf", "-Infinity", "0x1p-2", "1_0", "\"1,5\"", "\"1,234.5\"", "", "1e", ".", "-")
	cell("{type: float, nonfinite: allow}", "nan", "-inf", "infinit")
	cell("bool", "0", "TRUE", "False", "1", "yes", "on", "t", "2", "")
	cell("{classes: [cat, dog]}", "cat", "dgo", "\"\"", "")
	cell("{classes: {names: [cat, dog], unknown: 9}}", "cat", "horse")
	cell("{type: bytes, encoding: base64}", "aGk=", "aGk", "a*k=")
	cell("{type: bytes, encoding: hex}", "0aFF", "0af", "0g")
	cell("{type: float, separator: \"|\", shape: [2]}", "1|2", "1|2|3", "1|", "1|x")
	cell("bytes", "x", "\"\"", "")
	list = append(list,
		csvFault("the first of many", "a,b\n1,x\n2,y\n\"z\"q,1\nw,x\n3\n", "a: int64"),
		csvWith("a word for missing", "files: t.csv", "a,b\n1,x\nNULL,x\n", "a: int64"),
		csvWith("a word for missing, named", "files: t.csv, null_values: [\"NULL\"]", "a,b\n1,x\nNULL,x\n", "a: int64"),
		csvWith("control characters are escaped", "files: t.csv", "a,b\n1,x\n\"\x1b[31m\x07\",x\n", "a: int64"),
		csvWith("long values are cut", "files: t.csv", "a,b\n"+strings.Repeat("9", 500)+"x,x\n", "a: int64"),
		csvWith("several columns", "files: t.csv", "a,b\n1,2\n1,\n", "p: {type: float, from: [a, b]}"),
	)
	return list
}

// jsonlFaults are the lines that are no rows.
func jsonlFaults() []fault {
	rows := func(name, text string, features ...string) fault {
		if len(features) == 0 {
			features = []string{"a: int64"}
		}
		return fault{name, "source:\n  jsonl: {files: t.jsonl}\nfeatures:\n  " + strings.Join(features, "\n  ") + "\n", map[string]string{"t.jsonl": text}}
	}
	var list []fault
	line := func(features string, lines ...string) {
		for _, l := range lines {
			list = append(list, rows(features+" of "+shorten(l), "{\"a\": 1}\n"+l+"\n", features))
		}
	}
	list = append(list,
		rows("byte order mark", "\ufeff{\"a\": 1}\n"),
		rows("utf-16", "{\x00}\x00\n\x00"),
		rows("blank lines", "{\"a\": 1}\n\n \t\n{\"a\": 2}\n"),
		rows("CRLF", "{\"a\": 1}\r\n{\"a\": 2}\r\n"),
		rows("CR alone", "{\"a\": 1}\r{\"a\": 2}\r"),
		rows("an object over lines", "{\n  \"a\": 1\n}\n"),
		rows("an array", "[\n{\"a\": 1},\n{\"a\": 2}\n]\n"),
		rows("the last line cut short", "{\"a\": 1}\n{\"a\": 2"),
		rows("no line end at the end", "{\"a\": 1}"),
		rows("empty file", ""),
		rows("deep", "{\"a\": 1, \"b\": "+strings.Repeat("[", 500)+strings.Repeat("]", 500)+"}\n"),
		rows("too deep", "{\"a\": 1, \"b\": "+strings.Repeat("[", 100000)+strings.Repeat("]", 100000)+"}\n"),
		fault{"a line beyond its limit", "limits: {record: 2KB}\nsource:\n  jsonl: {files: t.jsonl}\nfeatures: {a: int64}\n", map[string]string{"t.jsonl": "{\"a\": 1}\n{\"a\": 2, \"b\": \"" + strings.Repeat("x", 3000) + "\"}\n"}},
	)
	line("a: int64",
		`{"a": 2} {"a": 3}`, `{"a": 2}]`, `{"a": 2,}`, `{'a': 2}`, `{"a": 2} // x`, `{"a": NaN}`, `{"a": 01}`, `{"a": +1}`, `{"a": .5}`,
		`3`, `[1]`, `null`, `"x"`, `{"a": 2, "a": 3}`, `{"a": 2, "\u0061": 3}`, `{"a": 2, "b": {"c": 1, "c": 2}}`, `{"A": 2}`, `{"a": null}`, `{}`,
		`{"a": 9007199254740993}`, `{"a": 9223372036854775808}`, `{"a": 1e3}`, `{"a": 1.0}`, `{"a": -0}`, `{"a": "3"}`, `{"a": true}`, `{"a": {"b": 1}}`, `{"a": [1]}`,
		`{"a": 2, "b": "\ud800"}`, "{\"a\": 2, \"b\": \"\xff\"}", "{\"a\": 2, \"b\": \"\t\"}", `{"a": 2, "b": "\x"}`, `{"a": 2, "b": tru}`)
	line("a: float", `{"a": 1e400}`, `{"a": 1e39}`, `{"a": 1e-400}`, `{"a": -0}`, `{"a": true}`, `{"a": "1.5"}`)
	line("b: {type: bytes, from: a}", `{"a": "x\u0000y"}`, `{"a": 5}`)
	line("b: {type: string, from: a}", `{"a": 5.50}`, `{"a": true}`)
	line("b: {type: float, from: a, shape: [2, 2]}", `{"a": [[1, 2], [3, 4]]}`, `{"a": [[1, 2], [3]]}`, `{"a": [1, 2, 3]}`, `{"a": [[1, 2], [3, "x"]]}`, `{"a": [[1, 2], [3, null]]}`)
	line("b: {type: int64, from: a.b.0}", `{"a": {"b": [7]}}`, `{"a": {"b": []}}`, `{"a": {"b": 7}}`, `{"a": 7}`)
	line("b: {type: int64, from: \"a.*.x\", missing: {default: 0}}", `{"a": [{"x": 1}, {"y": 2}]}`, `{"a": [{"x": "1"}]}`, `{"a": []}`)
	line("b: {type: int64, from: \"a.*.x\"}", `{"a": [{"x": 1}, {"y": 2}]}`)
	line("b: {type: bytes, from: a, encoding: base64}", `{"a": "aGk"}`)
	for i := range list {
		// the first row, too, has to be good
		list[i].files["t.jsonl"] = strings.Replace(list[i].files["t.jsonl"], "{\"a\": 1}\n", first(list[i].config), 1)
	}
	return list
}

// first is a good row for the features of config.
func first(config string) string {
	for part, row := range map[string]string{
		"shape: [2, 2]": `{"a": [[1, 2], [3, 4]]}`, "a.b.0": `{"a": {"b": [1]}}`, "a.*.x": `{"a": []}`, "base64": `{"a": "aGk="}`,
		"type: bytes, from: a}": `{"a": "x"}`, "type: string": `{"a": "x"}`,
	} {
		if strings.Contains(config, part) {
			return row + "\n"
		}
	}
	return "{\"a\": 1}\n"
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60]
	}
	return s
}
