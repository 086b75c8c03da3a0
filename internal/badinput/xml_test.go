package badinput

import (
	"strings"
)

// xmlFaults are directories of XML documents that cannot be used.
func xmlFaults() []fault {
	with := func(v verdict, name, keys, text, more string) fault {
		if !strings.Contains(more, "features") {
			more += "features: {n: {from: a.o.*.n, type: int64}, w: {from: a.@w, type: int64}}\n"
		}
		return input(v, name, "source:\n  xml: {dir: in"+keys+"}\n"+more,
			map[string]string{"in/1.xml": "<a w='1'><o><n>1</n></o></a>", "in/2.xml": text})
	}
	of := func(v verdict, name, text string) fault { return with(v, name, "", text, "") }
	of1 := func(v verdict, name, features string) fault {
		return with(v, name, "", "<a w='2'><o><n>2</n></o></a>", "features: "+features+"\n")
	}
	const good = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a w='2'>\n  <o>\n    <n>2</n>\n  </o>\n  " +
		"<o><n>3</n></o>\n</a>\n"
	bomb := "<!DOCTYPE a [\n<!ENTITY x0 \"ha\">\n"
	for i := range 30 {
		bomb += "<!ENTITY x" + string(rune('1'+i)) + " \"&x" + string(rune('0'+i)) + ";&x" + string(rune('0'+i)) +
			";\">\n"
	}
	deep := func(n int) string {
		return "<a w='2'>" + strings.Repeat("<b>", n) + strings.Repeat("</b>", n) + "</a>"
	}
	in := func(v verdict, name, keys, text string) fault {
		config := "source:\n  xml: {files: t.xml, " + keys + "}\nfeatures: {n: {from: o.n, type: int64}}\n"
		return input(v, "rows: "+name, config, map[string]string{"t.xml": text})
	}
	before := func(part string) string { return good[:strings.Index(good, part)] }
	return []fault{
		in(accepted, "a good document", "rows: a.o", good),
		in(accepted, "byte order mark", "rows: a.o", "\ufeff"+good),
		in(accepted, "a prefix declared around", "rows: a.o", "<a xmlns:p='q'><o p:x='1'><n>2</n></o></a>"),
		in(accepted, "a row in a row", "rows: a.o", "<a><o><n>2</n><o><n>3</n></o></o></a>"),
		in(badRow, "cut in a row", "rows: a.o", before("/n>")),
		in(badRow, "cut between rows", "rows: a.o", before("  <o><n>3")),
		in(badRow, "cut after the rows", "rows: a.o", before("</a>")),
		in(badRow, "a wrong reference", "rows: a.o", "<a><o><n>&x;</n></o></a>"),
		in(badRow, "no UTF-8", "rows: a.o", "<a><o><n>\xe9</n></o></a>"),
		in(badRow, "no value", "rows: a.o", "<a><o/><o><n>1</n></o></a>"),
		in(refused, "empty file", "rows: a.o", ""),
		in(refused, "JSON", "rows: a.o", "{\"a\": 1}\n"),
		in(refused, "an end tag that is missing", "rows: a.o", strings.Replace(good, "  </o>\n", "", 1)),
		in(refused, "another end tag", "rows: a.o", strings.Replace(good, "</n>", "</m>", 1)),
		in(refused, "an attribute without quotes", "rows: a.o", "<a><o w=2/></a>"),
		in(refused, "a prefix that is not declared", "rows: a.o", "<a><o p:x='1'/></a>"),
		in(refused, "a second root", "rows: a.o", good+"<a/>"),
		in(refused, "a bomb of entities", "rows: a.o", bomb+"]><a><o><n>&x9;</n></o></a>"),
		in(refused, "far too deep", "rows: a.o", strings.Replace(good, "<n>2</n>", strings.Repeat("<b>", 1001), 1)),
		in(refused, "Latin-1", "rows: a.o", strings.Replace(good, "utf-8", "iso-8859-1", 1)),
		in(refused, "UTF-16", "rows: a.o", "\xff\xfe<\x00a\x00/\x00>\x00"),
		in(refused, "another path", "rows: a.o", strings.ReplaceAll(good, "o>", "obj>")),
		in(refused, "a path without the root", "rows: a.o", "<r>"+good[strings.Index(good, "<a"):]+"</r>"),
		in(warned, "no row, which is fine", "rows: a.o, allow_empty: true", "<a><b/></a>"),
		in(refused, "no path", "root: .", good),
		in(refused, "a path with an empty step", "rows: a.o..n", good),
		in(refused, "a directory, too", "rows: a.o, dir: in", good),
		in(refused, "keys of directories", "rows: a.o, include: x", good),
		in(refused, "extensions", "rows: a.o, extensions: any", good),
		with(refused, "rows in a directory", ", rows: a.o", good, ""),
		of(accepted, "a good document", good),
		of(accepted, "byte order mark", "\ufeff"+good),
		of(accepted, "a document type", "<!DOCTYPE a SYSTEM 'a.dtd'>"+good[strings.Index(good, "<a"):]),
		of(accepted, "no objects", "<a w='2'/>"),
		of(badRow, "empty file", ""),
		of(badRow, "JSON", "{\"a\": 1}\n"),
		of(badRow, "HTML", "<!DOCTYPE html><html><body><br></body></html>\n"),
		of(badRow, "cut short", good[:60]),
		of(badRow, "cut in a tag", good[:46]),
		of(badRow, "another end tag", strings.Replace(good, "</n>", "</m>", 1)),
		of(badRow, "a second root", good+"<a/>"),
		of(badRow, "text after the root", good+"x"),
		of(badRow, "an attribute twice", "<a w='1' w='2'/>"),
		of(badRow, "an attribute without quotes", "<a w=2/>"),
		of(badRow, "an entity", "<a w='2'><o><n>&n;</n></o></a>"),
		of(badRow, "a bomb of entities", bomb+"]><a w='2'><o><n>&x9;</n></o></a>"),
		of(badRow, "a file as an entity",
			"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a w='2'><o><n>&x;</n></o></a>"),
		of(badRow, "NUL bytes", good+"\x00"),
		of(badRow, "a control character", "<a w='2'><o><n>\x01</n></o></a>"),
		of(badRow, "no UTF-8", "<a w='2'><o><m>\xe9</m></o></a>"),
		of(badRow, "an encoding that is not read", strings.Replace(good, "utf-8", "windows-1251", 1)),
		of(accepted, "Latin-1", strings.Replace(good, "utf-8", "iso-8859-1", 1)+"<!-- \xe9 -->"),
		of(badRow, "UTF-16 that is declared as UTF-8", "<\x00a\x00/\x00>\x00"),
		of(badRow, "XML 1.1", strings.Replace(good, "1.0", "1.1", 1)),
		of(badRow, "an element without a value", "<a w='2'><o><n>2</n></o><o/></a>"),
		of(badRow, "an empty element", "<a w='2'><o><n>2</n></o><o><n/></o></a>"),
		of(badRow, "white space around a number", "<a w='2'><o><n> 2 </n></o></a>"),
		with(accepted, "white space that is trimmed", ", trim: true", "<a w='2'><o><n> 2 </n></o></a>", ""),
		of(badRow, "a word for a number", "<a w='2'><o><n>two</n></o></a>"),
		of(badRow, "an element in an element", "<a w='2'><o><n><x/></n></o></a>"),
		of(badRow, "an element twice", "<a w='2'><o><n>2</n><n>3</n></o></a>"),
		of(badRow, "no attribute", "<a><o><n>2</n></o></a>"),
		of(badRow, "another root", "<b w='2'><o><n>2</n></o></b>"),
		of(accepted, "as deep as the limit", deep(999)),
		of(badRow, "too deep", deep(1000)),
		of(badRow, "far too deep", deep(100000)),
		with(badRow, "too many attributes", "", "<a w='2' x='1' y='1'/>", "limits: {columns: 2}\n"),
		with(badRow, "a document beyond its limit", "", "<a w='2'><x>"+strings.Repeat("x", 3000)+"</x></a>",
			"limits: {record: 2KB}\n"),
		with(warned, "a bad row is skipped", "", "<a w='2'><o></a>", "on_error: skip\nmax_errors: 100\n"),
		with(refused, "no file of the extension", ", extensions: [xhtml]", good, ""),
		with(refused, "another key", ", encoding: latin-1", good, ""),
		of1(refused, "a column that no document has", "{n: {from: a.@v, type: int64}}"),
		of1(refused, "a list that no document has", "{n: {from: a.p.*.n, type: int64}}"),
		of1(warned, "a list that no document has, which may be missing",
			"{n: {from: a.p.*.n, type: int64, missing: omit}}"),
		of1(badRow, "the value of an element of elements", "{n: {from: a.o, type: string}}"),
		of1(refused, "a path that begins with a star", "{n: {from: \"*.o\", type: string}}"),
		of1(refused, "a step below an attribute", "{n: {from: a.@w.x, type: string}}"),
		of1(accepted, "a number of an element", "{n: {from: a.o.0.n, type: int64}}"),
	}
}
