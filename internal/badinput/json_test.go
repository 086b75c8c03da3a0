package badinput

import (
	"strings"

	"tfr-build/internal/filetest"
)

// jsonFaults are JSON documents whose rows are invalid or cannot be found.
func jsonFaults() []fault {
	with := func(v verdict, name, keys, text, more string) fault {
		if !strings.Contains(more, "features") {
			more += "features: {a: int64}\n"
		}
		return input(v, name, "source:\n  json: {files: t.json, "+keys+"}\n"+more, map[string]string{"t.json": text})
	}
	rows := func(v verdict, name, text string) fault { return with(v, name, "rows: rows", text, "") }
	const good = "{\n  \"info\": {\"year\": 2017, \"by\": [\"x\", null]},\n  \"rows\": [\n    {\"a\": 1},\n    " +
		"{\"a\": 2}\n  ],\n  \"n\": -2.5e3\n}\n"
	lenient := "on_error: skip\nmax_errors: 100\n"
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	list := []fault{
		rows(accepted, "a good document", good),
		rows(accepted, "gzip", filetest.Gzip(good)),
		rows(accepted, "byte order mark", "\ufeff"+good),
		rows(accepted, "CR alone between tokens", strings.ReplaceAll(good, "\n", "\r")),
		rows(refused, "utf-16", "{\x00}\x00\n\x00"),
		rows(refused, "HTML", "<!DOCTYPE html><html></html>\n"),
		rows(refused, "CSV", "a,b\n1,2\n"),
		rows(refused, "empty file", ""),
		rows(refused, "only white space", " \n\t\n"),
		rows(refused, "cut before the rows", good[:30]),
		rows(refused, "cut within a row", good[:72]),
		rows(refused, "cut between rows", good[:81]),
		rows(refused, "cut after the rows", good[:100]),
		rows(refused, "gzip cut short", filetest.Gzip(strings.Repeat(" ", 500000) + good)[:200]),
		rows(refused, "text after the document", good+"x"),
		rows(refused, "a second document", good+good),
		rows(refused, "JSON lines", "{\"a\": 1}\n{\"a\": 2}\n"),
		with(refused, "JSON lines without a path", "rows: .", "{\"a\": 1}\n{\"a\": 2}\n", ""),
		rows(refused, "NULs after the document", good+"\x00\x00"),
		rows(refused, "no array", strings.Replace(good, "\"rows\"", "\"row\"", 1)),
		rows(refused, "no key that is near", "{\"images\": [], \"categories\": []}"),
		rows(refused, "the path is a number", "{\"rows\": 7}"),
		rows(refused, "the path is null", "{\"rows\": null}"),
		rows(refused, "the path is an object", "{\"rows\": {\"b\": [1], \"c\": {}}}"),
		rows(refused, "an array of rows, and a path", "[{\"a\": 1}]"),
		with(refused, "an object of arrays", "rows: .", good, ""),
		with(refused, "an object without an array", "rows: .", "{\"x\": {\"a\": 1}}", ""),
		with(refused, "a path below a number", "rows: n.rows", good, ""),
		with(refused, "a path into an array that is short", "rows: 3.rows", "[{\"rows\": []}]", ""),
		with(accepted, "a path through an array", "rows: 1.x.rows", "[0, {\"x\": {\"rows\": [{\"a\": 1}]}}]", ""),
		with(accepted, "a key that is the path", "rows: x.rows", "{\"x.rows\": [{\"a\": 1}]}", ""),
		with(refused, "a key that is the path, and the path", "rows: x.rows",
			"{\"x.rows\": [{\"a\": 1}], \"x\": {\"rows\": []}}", ""),
		with(refused, "a path with an empty step", "rows: x..y", good, ""),
		rows(refused, "the rows twice", "{\"rows\": [{\"a\": 1}],\n \"rows\": [{\"a\": 2}]}"),
		rows(refused, "the rows twice, escaped", "{\"rows\": [{\"a\": 1}], \"ro\\u0077s\": []}"),
		rows(accepted, "another key twice", "{\"b\": 1, \"rows\": [{\"a\": 1}], \"b\": 2}"),
		rows(refused, "no rows", "{\"rows\": []}"),
		with(warned, "no rows, which is fine", "rows: rows, allow_empty: true", "{\"rows\": []}", ""),
		with(accepted, "an object of rows", "rows: ., keys: k", "{\"x\": {\"a\": 1}, \"y\": {\"a\": 2}}",
			"features: {a: int64, k: bytes}\n"),
		with(refused, "keys of an array", "rows: rows, keys: k", good, ""),
		with(accepted, "rows that are numbers", "rows: .", "[1, 2,3]", "features: {value: int64}\n"),
		with(accepted, "rows that are arrays", "rows: .", "[[1, 2], [3, 4]]",
			"features: {b: {type: int64, from: value.1}}\n"),
		with(badRow, "a row that is no object", "rows: .", "[{\"a\": 1}, 7]", ""),
		rows(badRow, "a key of a row twice", "{\"rows\": [{\"a\": 1},\n{\"a\": 2, \"b\": 0,\n\"a\": 3}]}"),
		rows(badRow, "half of a surrogate pair in a row", "{\"rows\": [{\"a\": 1}, {\"a\": 2, \"b\": \"\\ud800\"}]}"),
		rows(badRow, "no UTF-8 in a row", "{\"rows\": [{\"a\": 1}, {\"a\": 2, \"b\": \"\xff\"}]}"),
		rows(refused, "no UTF-8 elsewhere", "{\"b\": [\"\xff\"], \"rows\": [{\"a\": 1}]}"),
		rows(badRow, "a text for a number", "{\"rows\": [{\"a\": 1}, {\"a\": \"2\"}]}"),
		with(warned, "a bad row is skipped", "rows: rows", "{\"rows\": [{\"a\": 1}, {\"a\": \"2\"}]}", lenient),
		with(refused, "a malformed row is not skipped", "rows: rows", "{\"rows\": [{\"a\": 1}, {\"a\": }]}", lenient),
		rows(accepted, "as deep as the limit", "{\"rows\": [{\"a\": 1, \"b\": "+deep(999)+"}]}"),
		rows(refused, "a row that is too deep", "{\"rows\": [{\"a\": 1, \"b\": "+deep(1000)+"}]}"),
		rows(refused, "too deep elsewhere", "{\"b\": "+deep(100000)+", \"rows\": [{\"a\": 1}]}"),
		rows(refused, "brackets alone", strings.Repeat("[", 1<<20)),
		with(badRow, "a row beyond its limit", "rows: rows",
			"{\"rows\": [{\"a\": 1}, {\"a\": 2, \"b\": \""+strings.Repeat("x", 3000)+"\"}, {\"a\": 3}]}",
			"limits: {record: 2KB}\n"),
		rows(refused, "a number beyond all limits", "{\"rows\": [{\"a\": "+strings.Repeat("1", 70000)+"}]}"),
		rows(refused, "a key beyond all limits", "{\""+strings.Repeat("k", 70000)+"\": 1, \"rows\": [{\"a\": 1}]}"),
	}
	for _, row := range []string{
		`{"a": 2,}`, `{"a": 2}}`, `{"a": 2]`, `{"a" 2}`, `{"a": 2 "b": 3}`, `{'a': 2}`, `{a: 2}`, `{"a": 01}`,
		`{"a": 1.}`,
		`{"a": .5}`, `{"a": nan}`, `{"a": tru}`,
		`{"a": "x"y"}`, `{"a": "x}`, `{"a": "\x"}`, "{\"a\": \"\t\"}", `{"a": 2} {"a": 3}`, `{"a": 2} // x`,
		`{"a": 2},,{"a": 3}`, `{"a": 2},`,
	} {
		list = append(list, rows(refused, "the row "+shorten(row), "{\"rows\": [{\"a\": 1},\n"+row+"]}"))
	}
	return append(list, rows(badRow, "the row {\"a\": NaN}", "{\"rows\": [{\"a\": 1},\n{\"a\": NaN}]}"))
}
