package badinput

import "strings"

// groupFaults are rows that do not fit into a group, and groups that do not fit into a record.
func groupFaults() []fault {
	table := func(v verdict, name, text string, keys ...string) fault {
		config := "source: {csv: {files: t.csv}}\norder: source\n" + strings.Join(keys, "\n") + "\n"
		return input(v, name, config, map[string]string{"t.csv": text})
	}
	lines := func(v verdict, name, text, group string) fault {
		return input(v, name, "source: {jsonl: {files: t.jsonl}}\norder: source\ngroup: "+group+"\nfeatures: {x: "+
			"int64}\n",
			map[string]string{"t.jsonl": text})
	}
	const by, timed, typed = "group: {by: g}", "group: {by: g, sort: t}",
		"group: {by: g, sort: {column: t, type: int64}}"
	const x, skip = "features: {x: int64}", "on_error: skip\nmax_errors: 100%"
	const context = "record: sequence\ncontext: {c: string}\nsequence: {x: int64}"
	const small = "limits: {group: 2}"
	var long strings.Builder
	for range 5 {
		long.WriteString("k" + strings.Repeat("x", 300) + ",1\n")
	}
	return []fault{
		table(accepted, "rows of two groups", "g,x\na,1\nb,2\na,3\n", by, x),
		table(badRow, "no value of by", "g,x\na,1\n,2\na,3\n", by, x),
		table(warned, "no value of by, skipped", "g,x\na,1\n,2\na,3\n", by, x, skip),
		table(badRow, "no value of by in any row", "g,x\n,1\n,2\n", by, x, skip),
		input(badRow, "a null value of by",
			"source: {csv: {files: t.csv, null_values: [NA]}}\norder: source\n"+by+"\n"+x+"\n",
			map[string]string{"t.csv": "g,x\na,1\nNA,2\n"}),
		table(badRow, "by that is not UTF-8", "g,x\na,1\n\xff,2\n", by, x),
		table(badRow, "no value of sort", "g,t,x\na,1,1\na,,2\n", timed, x),
		table(warned, "no value of sort, skipped before windows are cut", "g,t,x\na,1,1\na,,2\na,3,3\n",
			"group: {by: g, sort: t, windows: {length: 2}}", x, skip),
		table(badRow, "NaN in sort", "g,t,x\na,1,1\na,nan,2\n", "group: {by: g, sort: {column: t, type: float64}}", x),
		table(badRow, "a word in sort of numbers", "g,t,x\na,1,1\na,noon,2\n", typed, x),
		table(badRow, "a fraction in sort of integers", "g,t,x\na,1,1\na,1.5,2\n", typed, x),
		table(badRow, "an integer in sort beyond 64 bits", "g,t,x\na,1,1\na,9223372036854775808,2\n", typed, x),
		table(accepted, "infinite numbers in sort", "g,t,x\na,inf,1\na,-inf,2\n",
			"group: {by: g, sort: {column: t, type: float64}}", x),
		table(accepted, "equal values in sort", "g,t,x\na,1,1\na,1,2\na,1,3\n", typed, x),
		table(accepted, "numbers in sort of strings", "g,t,x\na,10,1\na,9,2\n", timed, x),
		lines(badRow, "an object in by", "{\"g\": \"a\", \"x\": 1}\n{\"g\": {\"b\": 1}, \"x\": 2}\n", "{by: g}"),
		lines(badRow, "a list in sort", "{\"g\": \"a\", \"t\": 1, \"x\": 1}\n{\"g\": \"a\", \"t\": [1, 2], \"x\": 2}\n",
			"{by: g, sort: t}"),
		lines(badRow, "null in by", "{\"g\": \"a\", \"x\": 1}\n{\"g\": null, \"x\": 2}\n", "{by: g}"),
		table(badRow, "context that differs", "g,c,x\na,k,1\nb,k,2\na,l,3\n", by, context),
		table(badRow, "context that is missing in one row", "g,c,x\na,k,1\na,,3\n", by,
			strings.Replace(context, "c: string", "c: {type: string, missing: omit}", 1)),
		table(warned, "context that differs, skipped", "g,c,x\na,k,1\nb,k,2\na,l,3\n", by, context, skip),
		table(badRow, "a value of take that is invalid in a row between", "g,c,x\na,1,1\na,y,2\na,3,3\n", by,
			"features: {c: {type: int64, take: last}, x: int64}"),
		table(badRow, "a step that is invalid", "g,x\na,1\na,y\nb,2\n", by, x),
		table(warned, "a step that is invalid, skipped with its record", "g,x\na,1\na,y\nb,2\n", by, x, skip),
		table(warned, "a step that is invalid in one of two windows", "g,x\na,1\na,2\na,3\na,y\n",
			"group: {by: g, windows: {length: 2}}", x, skip),
		table(badRow, "a step without a value", "g,x\na,1\na,\n", by, x),
		table(badRow, "a group of two splits", "g,s,x\na,train,1\na,test,2\n", by, x, "split: {column: s}"),
		input(badRow, "a group in sources of two splits",
			"sources: [{name: t, split: train, csv: t.csv}, {name: u, split: test, csv: u.csv}]\norder: "+
				"source\n"+by+"\n"+x+"\n",
			map[string]string{"t.csv": "g,x\na,1\n", "u.csv": "g,x\nb,2\na,3\n"}),
		table(badRow, "a group beyond limits.group", "g,x\na,1\nb,2\na,3\na,4\n", by, x, small),
		table(warned, "a group beyond limits.group, skipped", "g,x\na,1\nb,2\na,3\na,4\n", by, x, small, skip),
		table(badRow, "rows of which one alone is in its group", "g,x\na,1\na,2\na,y\n", by, x, skip),
		table(badRow, "a group beyond limits.record", "g,x\n"+long.String(), by, x, "limits: {record: 2KB}"),
		table(refused, "windows beyond limits.group", "g,x\na,1\n", "group: {by: g, windows: {length: 3}}", x, small),
		table(refused, "no group as long as a window", "g,x\na,1\nb,2\n", "group: {by: g, windows: {length: 2}}", x),
		table(accepted, "a value of by of 1 MB", "g,x\n"+strings.Repeat("k", 1<<20)+",1\nb,2\n", by, x),
		table(refused, "by that no column has", "g,x\na,1\n", "group: {by: station}", x),
		table(refused, "sort that no column has", "g,x\na,1\n", "group: {by: g, sort: time}", x),
		table(refused, "a take without a group", "g,x\na,1\n", "features: {x: {type: int64, take: first}}"),
	}
}
