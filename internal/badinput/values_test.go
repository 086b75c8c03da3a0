package badinput

import "strings"

// valueFaults are the cells that no feature takes.
func valueFaults() []fault {
	var list []fault
	cell := func(v verdict, typ, good string, cells ...string) {
		for _, c := range cells {
			list = append(list, csvFault(v, typ+" "+c, "a,b\n"+good+",x\n"+c+",x\n", "a: "+typ))
		}
	}
	cell(accepted, "int64", "1", "9223372036854775807", "+5", "-9223372036854775808")
	cell(badRow, "int64", "1", "9223372036854775808", "-9223372036854775809", "1.0", "1e3", "\" 1\"", " 1", "0x10",
		"1_000", "\"1,5\"", "１２", "++5", "-", "--", "NA", "NULL", "?", "", "\"\"")
	cell(warned, "int64", "1", "007")
	cell(accepted, "uint8", "1", "255")
	cell(badRow, "uint8", "1", "256", "-1")
	cell(badRow, "uint64", "9223372036854775807", "9223372036854775808", "18446744073709551616")
	cell(accepted, "{type: int64, int_from_float: true}", "180.0", "-1.80e2")
	cell(badRow, "{type: int64, int_from_float: true}", "180.0", "180.5", "1e400", "nan")
	cell(badRow, "float", "1", "1e400", "-1e400", "1e39", "3.5e38", "NaN", "nan", "inf", "Infinity",
		"-Infinity", "0x1p-2", "1_0", "\"1,5\"", "\"1,234.5\"", "", "1e", ".", "-")
	cell(warned, "float", "1", "1e-400")
	cell(accepted, "{type: float, nonfinite: allow}", "nan", "-inf", "Infinity")
	cell(badRow, "{type: float, nonfinite: allow}", "nan", "infinit")
	cell(accepted, "bool", "0", "TRUE", "False", "1")
	cell(badRow, "bool", "0", "yes", "no", "on", "off", "y", "n", "t", "2", "")
	cell(badRow, "{classes: [cat, dog]}", "cat", "dgo", "Cat", "\"\"", "")
	cell(accepted, "{classes: {names: [cat, dog], unknown: 9}}", "cat", "horse")
	cell(badRow, "{type: bytes, encoding: base64}", "aGk=", "aGk", "a*k=", "aGk==")
	cell(badRow, "{type: bytes, encoding: hex}", "0aFF", "0af", "0g")
	cell(badRow, "{type: float, separator: \"|\", shape: [2]}", "1|2", "1|2|3", "1|", "1|x")
	cell(accepted, "{date: \"%Y-%m-%d\"}", "2024-01-01", "1969-12-31", "2024-2-9")
	cell(badRow, "{date: \"%Y-%m-%d\"}", "2024-01-01", "2024-02-30", "2024-13-01", "01/02/2024", "2024-01-01T00:00:00",
		" 2024-01-01", "0000-01-01", "２０２４-01-01", "1704067200", "NA", "\"\"")
	cell(badRow, "{date: rfc3339}", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00.5Z",
		"2016-12-31T23:59:60Z", "2024-01-01T00:00:00.0000000000Z", "2024-01-01T24:00:00Z")
	cell(badRow, "{date: rfc3339, unit: ns}", "2024-01-01T00:00:00Z", "1677-09-21T00:12:43Z", "9999-12-31T23:59:59Z")
	cell(badRow, "{date: \"%Y-%m-%d %H:%M\", unit: days}", "2024-01-01 00:00", "2024-01-01 00:01")
	cell(badRow, "{date: \"%Y-%m-%d %H:%M\", zone: Europe/Paris}", "2024-10-27 02:30", "2024-03-31 02:30")
	cell(accepted, "bytes", "x", "\"\"", "007", "NA", "\"a\r\nb\"", "\ufeff")
	cell(badRow, "bytes", "x", "")
	cell(accepted, "{type: int64, missing: omit}", "1", "")
	cell(accepted, "{type: int64, missing: {default: -1}}", "1", "")
	cell(accepted, "{type: int64, separator: \"|\", shape: [-1], missing: empty_list}", "1|2", "")
	list = append(list,
		csvFault(badRow, "the first of many", "a,b\n1,x\n2,y\n\"z\"q,1\nw,x\n3\n", "a: int64"),
		csvWith(badRow, "a word for missing", "files: t.csv", "a,b\n1,x\nNULL,x\n", "a: int64"),
		csvWith(badRow, "a word for missing, named", "files: t.csv, null_values: [\"NULL\"]", "a,b\n1,x\nNULL,x\n",
			"a: int64"),
		csvWith(badRow, "control characters are escaped", "files: t.csv", "a,b\n1,x\n\"\x1b[31m\x07\",x\n", "a: int64"),
		csvWith(badRow, "long values are cut", "files: t.csv", "a,b\n"+strings.Repeat("9", 500)+"x,x\n", "a: int64"),
		csvWith(accepted, "spaces around a number, trimmed", "files: t.csv, trim: true", "a,b\n1,x\n \t2 ,x\n",
			"a: int64"),
		csvWith(badRow, "spaces in quotes are not trimmed", "files: t.csv, trim: true", "a,b\n1,x\n\" 2\",x\n",
			"a: int64"),
		csvFault(badRow, "lines within quotes are counted", "a,b\n\"1\r\n\n\",x\n2,\"y\nz\"\n,3\n"),
		csvWith(badRow, "several columns", "files: t.csv", "a,b\n1,2\n1,\n", "p: {type: float, from: [a, b]}"),
	)
	return append(list, listFaults()...)
}

// listFaults are lists that expressions cannot compute.
func listFaults() (list []fault) {
	derived := func(v verdict, name, expression, row string) {
		config := "source: {jsonl: {files: t.jsonl}}\nderive: {d: '" + expression + "'}\nfeatures: {d: int64}\n"
		list = append(list, input(v, name, config, map[string]string{"t.jsonl": row + "\n"}))
	}
	const row = `{"a": [1, 2], "b": [3], "c": "x;y"}`
	commas := `{"c": "` + strings.Repeat(",", 200_000) + `"}`
	derived(accepted, "lists that expressions compute", "[size(a), b[0]].map(x, x + 1)", row)
	derived(badRow, "an index outside of the list", "a[size(b) + 1]", row)
	derived(badRow, "lists of two lengths in zip", "zip(a, b).map(p, p[0])", row)
	derived(badRow, "a text for a list", "c.map(x, x)", row)
	derived(badRow, "an element that is not a number", `split(c, ";").map(x, int(x))`, row)
	derived(badRow, "a list of lists without a shape", "a.map(x, b)", row)
	derived(badRow, "more steps than a row may take", `zip(split(c, ","), split(c, ",")).map(p, 1)`, commas)
	derived(refused, "arithmetic of lists", "[1] + a[0]", row)
	derived(refused, "a comprehension of a number", "size(a).map(x, x)", row)
	return list
}
