package sources

import (
	"testing"
	"unicode/utf16"

	"tfr-build/sources/input"
	"tfr-build/sources/json"
	"tfr-build/sources/text"
	"tfr-build/sources/xml"
)

// samples are the samples of all kinds, by name of the kind.
func samples(t *testing.T) map[string][]sample {
	return map[string][]sample{
		"csv":    {csvSample(), csvUTF16(), csvPlain(), csvOneColumn(), csvBlanks(), csvRest()},
		"jsonl":  {jsonlSample()},
		"json":   {jsonSample(), jsonMembers()},
		"text":   {textSample(), textWithoutBlanks()},
		"images": {imagesSample(t), imagesContent(t)},
		"folder": {directorySample()},
		"xml":    {xmlSample(), xmlUTF16(), xmlRows(), xmlRootRow()},
		"arrays": {arraysSample(), arraysRange()},

		"parquet":  {parquetSample(), parquetLists()},
		"tfrecord": {tfrecordSample(), tfrecordPayloads(), ofRecordSample()},

		"tar": {tarSample(t), tarDamaged(t)},
		"zip": {zipSample(t), zipImages(t)},
	}
}

func csvSample() sample {
	return sample{
		name: "RFC 4180", options: csvOptions("**/*.csv*"), columns: []string{"x", "y"},
		hostile: csvHostile,
		first:   "in/a.csv", row: "5,e\n",
		files: map[string]string{
			"in/a.csv": "x,y\n1,a\n\"2\n2\",\"b \"\"c\"\"\"\r\n3\n4,\n",
			"in/b.csv": "y,z,x\n\nf,,6",
		},
		rows: []string{
			"in/a.csv:4:2 1|a", "in/a.csv:8:3 2\n2|b \"c\"", "in/a.csv:25:5 CSV_RAGGED@5:2", "in/a.csv:27:6 4|-",
			"in/b.csv:7:3 6|f",
		},
		bzip2: "QlpoOTFBWSZTWVZcEr4AAA5ZgAASUAQ8ADgAAGAgACImR6j0NIQAAJw8km3ZV6uhOsG30IaI+LuSKcKEgrLglfA=",
	}
}

func csvUTF16() sample {
	o := csvOptions("*.csv*")
	o.Encoding = "utf-16le"
	return sample{
		name: "UTF-16", options: o, columns: []string{"x", "y"}, encode: utf16le,
		first: "a.csv", row: "5,e\n",
		files: map[string]string{"a.csv": "x,y\n1,ä€\n2,😀b\n3\n"},
		rows:  []string{"a.csv:10:2 1|ä€", "a.csv:20:3 2|😀b", "a.csv:32:4 CSV_RAGGED@4:2"},
	}
}

// utf16le is s in UTF-16LE, with a byte order mark.
func utf16le(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func csvPlain() sample {
	o := csvOptions("*.csv*")
	o.Quotes, o.Delimiter, o.Comment, o.SkipLines, o.Trim = "none", ";", "#", 1, true
	return sample{
		name: "no quotes", options: o, columns: []string{"y"},
		first: "a.csv", row: "5;e\n",
		files: map[string]string{"a.csv": "junk\nx;y\n# one\n1; \"a \n2;b\n#\n3\n"},
		rows:  []string{"a.csv:15:4 \"a", "a.csv:22:5 b", "a.csv:28:7 CSV_RAGGED@7:2"},
	}
}

func csvOneColumn() sample {
	return sample{
		name: "one column", options: csvOptions("*.csv*"), columns: []string{"x"},
		first: "a.csv", row: "5\n",
		files: map[string]string{"a.csv": "x\n1\n\n\"\"\n2\n"},
		rows:  []string{"a.csv:2:2 1", "a.csv:4:3 MISSING@3:1", "a.csv:5:4 ", "a.csv:8:5 2"},
	}
}

func csvBlanks() sample {
	o := csvOptions("*.csv*")
	o.Delimiter = "whitespace"
	return sample{
		name: "runs of blanks", options: o, columns: []string{"x", "y"},
		first: "a.csv", row: " 5\t e \n",
		files: map[string]string{"a.csv": " x  y\t\n1 \ta \n \t\n\t2   \"b c\"\n3\n"},
		rows:  []string{"a.csv:7:2 1|a", "a.csv:16:4 2|b c", "a.csv:27:5 CSV_RAGGED@5:2"},
	}
}

func csvRest() sample {
	o := csvOptions("*.csv*")
	o.Delimiter, o.Rest = "::", "y"
	return sample{
		name: "the rest of the line", options: o, columns: []string{"x", "y"},
		first: "a.csv", row: "5::e\n",
		files: map[string]string{"a.csv": "x::y\n1::a::\"b\n\n2::\n3:\n\"4\"::c"},
		rows: []string{"a.csv:5:2 1|a::\"b", "a.csv:15:4 2|-", "a.csv:19:5 CSV_RAGGED@5:3",
			"a.csv:22:6 CSV_BARE_QUOTE@6:1"},
	}
}

func jsonlSample() sample {
	return sample{
		name: "objects", options: jsonlOptions("**/*.jsonl*"), columns: []string{"x", "y.z"},
		hostile: jsonlHostile,
		first:   "in/a.jsonl", row: "{\"x\": 5}\n",
		files: map[string]string{
			"in/a.jsonl": "{\"x\": 1, \"y\": {\"z\": \"a\"}}\n\n{\"y\": {\"z\": [1, \"\\n\"]}}\r\n{\"x\": }\n{\"x\": " +
				"\"é\"}\n",
			"in/b.jsonl": "{\"x\": 2}",
		},
		rows: []string{
			"in/a.jsonl:0:1 1|a", "in/a.jsonl:27:3 -|[1 \n]", "in/a.jsonl:52:4 JSON_SYNTAX@4:7", "in/a.jsonl:60:5 é|-",
			"in/b.jsonl:0:1 2|-",
		},
		bzip2: "QlpoOTFBWSZTWezUGaoAAB3blAASUAQgEAAOIAEAegAgCAAgAFRAIaA0wMKQGRvSRRbe/KQMyFA+oqKR1q2RHCUjSJgFhEhlEnQu5Ipw" +
			"oSHZqDNU",
	}
}

func textSample() sample {
	return sample{
		name: "lines", options: &text.Options{Files: patterns([]string{"**/*.txt*"})}, columns: []string{"text"},
		hostile: textHostile,
		first:   "in/a.txt", row: "five\n",
		files: map[string]string{
			"in/a.txt": "one\n\ntwo, \"three\"\r\né four\n",
			"in/b.txt": "six",
		},
		rows: []string{"in/a.txt:0:1 one", "in/a.txt:4:2 ", "in/a.txt:5:3 two, \"three\"", "in/a.txt:19:4 é four",
			"in/b.txt:0:1 six"},
		bzip2: "QlpoOTFBWSZTWfNFCIIAAAjRlAASUAQDQZaAACAIACAAIoY0h6T1BTAATSOZaAhJLbeoRpLrifN8XckU4UJDzRQiCA==",
	}
}

func textWithoutBlanks() sample {
	return sample{
		name: "skip_blank", options: &text.Options{Files: patterns([]string{"*.txt*"}), SkipBlank: true},
		columns: []string{"text"},
		first:   "a.txt", row: "five\n",
		files: map[string]string{"a.txt": "\none\n\n\r\n \ntwo\n\n"},
		rows:  []string{"a.txt:1:2 one", "a.txt:8:5  ", "a.txt:10:6 two"},
	}
}

func imagesSample(t *testing.T) sample {
	return sample{
		name: "facts", options: imagesOptions(), columns: []string{"image.format", "image.width", "image.height",
			"path", "stem", "class"},
		hostile: imagesHostile,
		first:   "cat/1.png",
		files: map[string]string{"cat/1.png": encodedImage(t, "png", 3, 2), "dog/2.jpg": encodedImage(t, "png", 1, 1),
			"3.png": "no image"},
		rows: []string{"3.png IMG_FORMAT", "cat/1.png PNG|3|2|cat/1.png|1|cat", "dog/2.jpg PNG|1|1|dog/2.jpg|2|dog"},
	}
}

func imagesContent(t *testing.T) sample {
	o := imagesOptions()
	o.ClassPerFile, o.FormatMismatch, o.Checked = "classes.txt", "error", "decode"
	content := encodedImage(t, "png", 3, 2)
	return sample{
		name: "content", options: o, columns: []string{"image", "class"},
		first: "cat/1.png",
		files: map[string]string{"cat/1.png": content, "cat/2.jpg": content},
		rows:  []string{"cat/1.png " + content + "|A", "cat/2.jpg FORMAT_MISMATCH"},
	}
}

func directorySample() sample {
	return sample{
		name: "content", options: directoryOptions(), columns: []string{"content", "filename", "class"},
		hostile: directoryHostile,
		first:   "a/1.bin",
		files:   map[string]string{"a/1.bin": "one\n\x00", "a/b/2": "", "3.bin": "three"},
		rows:    []string{"3.bin three|3.bin|-", "a/1.bin one\n\x00|1.bin|a", "a/b/2 |2|a"},
	}
}

func xmlSample() sample {
	return sample{
		name: "elements", options: &xml.Options{Dir: ".", Extensions: input.Extensions{List: []string{"xml"}}},
		columns: []string{"a.@id", "a.b.c", "a.o.*.n", "a.o.1.n", "stem"},
		hostile: xmlHostile,
		first:   "in/a.xml",
		files: map[string]string{
			"in/a.xml": "<?xml version=\"1.0\"?>\n<a id=\"7\"><b><c>é " +
				"&lt;</c></b>\n<o><n>1</n></o><o/><o><n><![CDATA[x]]>y</n></o></a>\n",
			"in/b.xml": "<a><b>\n<c/></b></a>",
			"in/c.xml": "<a>\n<b></c></a>",
		},
		rows: []string{
			"in/a.xml 7|é <|[1 - xy]|-|a", "in/b.xml -||[]|-|b", "in/c.xml XML_SYNTAX@2:4",
		},
	}
}

func xmlUTF16() sample {
	return sample{
		name: "UTF-16", options: &xml.Options{Dir: ".", Extensions: input.Extensions{Any: true}, Trim: true},
		columns: []string{"a.b"}, encode: utf16le, first: "a.xml",
		files: map[string]string{"a.xml": "<?xml version='1.0' encoding='UTF-16'?><a>\n<b> ä😀\n</b></a>",
			"b.xml": "<a><b>1</b>\n<b>2</b></a>"},
		rows: []string{"a.xml ä😀", "b.xml TYPE@2:1"},
	}
}

func xmlRows() sample {
	return sample{
		name: "rows", options: &xml.Options{Files: patterns([]string{"**/*.xml*"}), Rows: "list.p:a.o"},
		columns: []string{"o.@x", "o.n.*", "o.o"}, first: "in/a.xml", row: "<o/>\n",
		files: map[string]string{
			"in/a.xml": "<?xml version='1.0'?><!DOCTYPE list>\n<list xmlns:p='p'><o/><p:a><o x='1>'><n>é</n><!-- " +
				"</o> --><n\n/><o>i</o></o> <o\n><![CDATA[</o>]]></o\n>" +
				"<q><o/></q><o><n>&b;</n></o><o p:x='' x='2'/></p:a>\n<p:a> &lt; <?p <o> ?><o x='3'/></p:a></list> " +
				"<!-- é -->\n",
			"in/b.xml": "<list xmlns:p='q'><p:a><o x='4'/></p:a></list>",
			"in/c.xml": "<list xmlns:p='q'><p:a><o x='5'/></p:a>",
			"in/d.xml": "<list xmlns:p='q'><p:a><o x='6'/><o><n>",
		},
		rows: []string{
			"in/a.xml:64:2 1>|[é ]|i", "in/a.xml:114:3 -|[]|-", "in/a.xml:150:5 XML_SYNTAX@5:21",
			"in/a.xml:167:5 2|[]|-",
			"in/a.xml:212:6 3|[]|-",
			"in/b.xml:23:1 4|[]|-", "in/c.xml:23:1 5|[]|-", "in/c.xml:39:1 XML_SYNTAX@1:40", "in/d.xml:23:1 6|[]|-",
			"in/d.xml:33:1 XML_SYNTAX@1:40",
		},
	}
}

func xmlRootRow() sample {
	return sample{
		name: "a row that is the document", options: &xml.Options{Files: patterns([]string{"*.xml*"}), Rows: "b",
			AllowEmpty: true},
		columns: []string{"b.c.*"}, first: "a.xml", row: "\n",
		files: map[string]string{"a.xml": "<b>\n<c>1</c><c>2</c></b>", "b.xml": "<a/>", "c.xml": "<b>\n</b><!-- "},
		rows:  []string{"a.xml:0:1 [1 2]", "c.xml:0:1 []", "c.xml:8:2 XML_SYNTAX@2:10"},
	}
}

func jsonOptions(file, rows string) *json.Options {
	return &json.Options{Files: patterns([]string{file}), Rows: rows}
}

func jsonSample() sample {
	return sample{
		name: "an array in an object", options: jsonOptions("**/*.json*", "a.rows"), columns: []string{"x", "y.z"},
		hostile: jsonHostile,
		first:   "in/a.json", row: "{\"x\": 5}\n",
		files: map[string]string{
			"in/a.json": "{\"info\": [1, \"é\"],\n\"a\": {\"n\": null, \"rows\": [{\"x\": 1, \"y\": {\"z\": " +
				"\"a\"}},\n {\"y\":\n{\"z\": [1, \"\\n\"]}} , {\"x\": 1, \"x\": 2}, 7,{\"x\": \"é\"}]}, \"b\": -2.5}\n",
			"in/b.json": "{\"a.rows\": [{\"x\": 2}]}",
		},
		rows: []string{
			"in/a.json:46:2 1|a", "in/a.json:74:3 -|[1 \n]", "in/a.json:100:4 JSON_DUP_KEY@4:30", "in/a.json:118:4 -|-",
			"in/a.json:120:4 é|-",
			"in/b.json:12:1 2|-",
		},
		bzip2: "QlpoOTFBWSZTWfFF3IUAAD9blAAQUAcykAAOMSWa+gAgCAAgAHQaaSGgGhoxDEDU/UiA0AAGgevIsDkMJMOQ9u5SzHNx1ztRZ7CL16gcAKF" +
			"zBrJ6+qi2RMJKDBYmKBChDSA440XybZ0trhJgAg2h2IZVw6fep+BH4u5IpwoSHii7kKA=",
	}
}

func jsonMembers() sample {
	o := jsonOptions("*.json*", ".")
	o.Keys = "k"
	return sample{
		name: "an object of rows", options: o, columns: []string{"k", "x", "value"},
		first: "a.json", row: "{\"x\": 5}\n",
		files: map[string]string{"a.json": "{\"o\\u006ee\" :\n {\"x\": 1}, \"é\": {\"x\": {\"y\": \"\\ud800\"}}, " +
			"\"\": [1, {\"b\": 2}], \"n\": 3}"},
		rows: []string{"a.json:1:1 one|1|-", "a.json:25:2 JSON_LONE_SURROGATE@2:31", "a.json:55:2 |-|[1 {\"b\": 2}]",
			"a.json:74:2 n|-|3"},
	}
}
