package badinput

import (
	"strings"

	"tfr-build/internal/filetest"
)

// jsonlFaults are the lines that are not rows.
func jsonlFaults() []fault {
	rows := func(v verdict, name, text string, features ...string) fault {
		if len(features) == 0 {
			features = []string{"a: int64"}
		}
		return input(v, name, "source:\n  jsonl: {files: t.jsonl}\nfeatures:\n  "+strings.Join(features, "\n  ")+"\n",
			map[string]string{"t.jsonl": text})
	}
	var list []fault
	line := func(v verdict, features string, lines ...string) {
		for _, l := range lines {
			list = append(list, rows(v, features+" of "+shorten(l), "{\"a\": 1}\n"+l+"\n", features))
		}
	}
	list = append(list,
		rows(accepted, "byte order mark", "\ufeff{\"a\": 1}\n"),
		rows(refused, "utf-16", "{\x00}\x00\n\x00"),
		rows(refused, "utf-16le with a mark", "\xff\xfe{\x00}\x00\n\x00"),
		rows(refused, "utf-16be with a mark", "\xfe\xff\x00{\x00}\x00\n"),
		rows(badRow, "byte order mark elsewhere", "{\"a\": 1}\n\ufeff{\"a\": 2}\n"),
		rows(badRow, "one CR alone in a later line", "{\"a\": 1}\n{\"a\": 2}\r{\"a\": 3}\n"),
		rows(refused, "an array on one line", "[{\"a\": 1}, {\"a\": 2}]\n"),
		rows(badRow, "an object over lines, later", "{\"a\": 1}\n{\n\"a\": 2}\n"),
		rows(badRow, "a string cut short", "{\"a\": 1}\n{\"a\": 2, \"b\": \"xy"),
		rows(refused, "HTML", "<!DOCTYPE html><html></html>\n"),
		rows(badRow, "CSV", "a,b\n1,2\n"),
		rows(refused, "a zip archive", "PK\x03\x04abc"),
		rows(accepted, "gzip named .jsonl", filetest.Gzip("{\"a\": 1}\n{\"a\": 2}\n")),
		rows(refused, "gzip cut short", filetest.Gzip(strings.Repeat("{\"a\": 1}\n", 50000))[:200]),
		rows(refused, "only blank lines", "\n \n"),
		rows(warned, "blank lines", "{\"a\": 1}\n\n \t\n{\"a\": 2}\n"),
		rows(accepted, "CRLF", "{\"a\": 1}\r\n{\"a\": 2}\r\n"),
		rows(refused, "CR alone", "{\"a\": 1}\r{\"a\": 2}\r"),
		rows(refused, "an object over lines", "{\n  \"a\": 1\n}\n"),
		rows(refused, "an array", "[\n{\"a\": 1},\n{\"a\": 2}\n]\n"),
		rows(badRow, "the last line cut short", "{\"a\": 1}\n{\"a\": 2"),
		rows(accepted, "no line end at the end", "{\"a\": 1}"),
		rows(refused, "empty file", ""),
		rows(accepted, "deep", "{\"a\": 1, \"b\": "+strings.Repeat("[", 500)+strings.Repeat("]", 500)+"}\n"),
		rows(accepted, "as deep as the limit", "{\"a\": 1, \"b\": "+strings.Repeat("[", 999)+strings.Repeat("]",
			999)+"}\n"),
		rows(badRow, "deeper by one", "{\"a\": 1, \"b\": "+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+"}\n"),
		rows(badRow, "too deep", "{\"a\": 1, \"b\": "+strings.Repeat("[", 100000)+strings.Repeat("]", 100000)+"}\n"),
		input(badRow, "a line beyond its limit",
			"limits: {record: 2KB}\nsource:\n  jsonl: {files: t.jsonl}\nfeatures: {a: int64}\n",
			map[string]string{"t.jsonl": "{\"a\": 1}\n{\"a\": 2, \"b\": \"" + strings.Repeat("x", 3000) + "\"}\n"}),
	)
	line(badRow, "a: int64",
		`{"a": 2} {"a": 3}`, `{"a": 2}]`, `{"a": 2}}`, `{"a": 2,}`, `{'a': 2}`, `{a: 2}`, `{"a": 2} // x`,
		`{"a": /* x */ 2}`,
		`{"a": NaN}`, `{"a": Infinity}`, `{"a": -Infinity}`,
		`{"a": 01}`, `{"a": +1}`, `{"a": .5}`, `{"a": 1.}`, `{"a": 0x1}`, `{"a" 2}`, `{"a": 2 "b": 3}`,
		`3`, `[1]`, `null`, `"x"`, `true`, `{"a": 2, "a": 3}`, `{"a": 2, "\u0061": 3}`,
		`{"a": 2, "b": {"c": 1, "c": 2}}`,
		`{"A": 2}`, `{"a": null}`, `{}`,
		`{"a": 9223372036854775808}`, `{"a": 1e3}`, `{"a": 1.0}`, `{"a": "3"}`, `{"a": {"b": 1}}`, `{"a": [1]}`,
		`{"a": 2, "b": "\ud800"}`, `{"a": 2, "b": "\udc00\ud800"}`, "{\"a\": 2, \"b\": \"\xff\"}",
		"{\"a\": 2, \"b\": \"\xed\xa0\x80\"}", "{\"a\": 2, \"b\": \"\t\"}", `{"a": 2, "b": "\x"}`, `{"a": 2, "b": tru}`)
	line(accepted, "a: int64",
		`{"a": 9007199254740993}`, `{"a": -9223372036854775808}`, `{"a": -0}`, `{"a": true}`, `{"a": 2, "A": 3}`,
		"{\"a\": 2, \"caf\u00e9\": 1, \"cafe\u0301\": 2}", `{"a": 2, "unknown": [{}]}`, ` {"a": 2} `)
	line(badRow, "a: float", `{"a": 1e400}`, `{"a": 1e39}`, `{"a": true}`, `{"a": "1.5"}`)
	line(warned, "a: float", `{"a": 1e-400}`)
	line(accepted, "a: float", `{"a": -0}`)
	line(accepted, "b: {type: bytes, from: a}", `{"a": "x\u0000y"}`, `{"a": ""}`, `{"a": "\ud83d\ude00"}`)
	line(badRow, "b: {type: bytes, from: a}", `{"a": 5}`, `{"a": ["x", 5]}`)
	line(accepted, "b: {type: string, from: a}", `{"a": 5.50}`)
	line(badRow, "b: {type: string, from: a}", `{"a": true}`)
	line(accepted, "b: {type: float, from: a, shape: [2, 2]}", `{"a": [[1, 2], [3, 4]]}`)
	line(badRow, "b: {type: float, from: a, shape: [2, 2]}", `{"a": [[1, 2], [3]]}`, `{"a": [1, 2, 3]}`, `{"a": []}`,
		`{"a": [[1, 2], [3, "x"]]}`, `{"a": [[1, 2], [3, null]]}`, `{"a": [[1, 2], [3, [4]]]}`,
		`{"a": [[1, 2], {"3": 4}]}`)
	line(accepted, "b: {type: int64, from: a.b.0}", `{"a": {"b": [7]}}`)
	line(badRow, "b: {type: int64, from: a.b.0}", `{"a": {"b": []}}`, `{"a": {"b": 7}}`, `{"a": 7}`)
	line(accepted, "b: {type: int64, from: \"a.*.x\", missing: {default: 0}}", `{"a": [{"x": 1}, {"y": 2}]}`,
		`{"a": []}`, `{"a": {"k": {"x": 1}, "*": {}}}`, `{"a": {}}`)
	line(badRow, "b: {type: int64, from: \"a.*.x\", missing: {default: 0}}", `{"a": [{"x": "1"}]}`,
		`{"a": {"k": {"x": 1}, "l": 2}}`, `{"a": {"k": {"x": 1}, "k": {}}}`, `{"a": "x"}`)
	line(accepted, "b: {type: int64, from: \"a.*.x\", shape: [-1, -1], missing: empty_list}", `{"a": [{"x": [1]}, {}]}`)
	line(badRow, "b: {type: int64, from: \"a.*.x\", shape: [-1, -1]}", `{"a": {"k": {"x": [1]}, "l": {}}}`)
	line(badRow, "b: {type: int64, from: \"a.*.x\", shape: [-1, -1], missing: empty_list}", `{"a": [{"x": 1}, {}]}`,
		`{"a": [{"x": [null]}]}`)
	line(badRow, "b: {type: int64, from: \"a.*.x\"}", `{"a": [{"x": 1}, {"y": 2}]}`)
	line(badRow, "b: {type: bytes, from: a, encoding: base64}", `{"a": "aGk"}`, `{"a": "a*k="}`)
	for i := range list {
		// the first row, too, has to be good
		list[i].files["t.jsonl"] = strings.Replace(list[i].files["t.jsonl"], "{\"a\": 1}\n", first(list[i].config), 1)
	}
	return list
}

// first is a good row for the features of config.
func first(config string) string {
	for part, row := range map[string]string{
		"shape: [2, 2]": `{"a": [[1, 2], [3, 4]]}`, "a.b.0": `{"a": {"b": [1]}}`, "a.*.x": `{"a": []}`,
		"base64":                `{"a": "aGk="}`,
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
