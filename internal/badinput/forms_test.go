package badinput

import (
	"encoding/binary"
	"strings"
)

// formFaults are rows that the kinds of records and the forms of values do not
// take.
func formFaults() []fault {
	lines := func(v verdict, name, config, text string) fault {
		return input(v, name, "source: {jsonl: {files: t.jsonl}}\n"+config, map[string]string{"t.jsonl": text})
	}
	list := []fault{
		csvFault(accepted, "a list in a cell", "a,b\n\"[1, 2]\",x\n[],y\n",
			"a: {type: int64, shape: [-1], encoding: json}"),
		csvFault(badRow, "a list in a cell that is not closed", "a,b\n[1],x\n\"[1, \"\"2\"\"\",y\n",
			"a: {type: int64, shape: [-1], encoding: json}"),
		csvFault(badRow, "no JSON in a cell", "a,b\n[1],x\nNA,y\n", "a: {type: int64, shape: [-1], encoding: json}"),
		csvWith(accepted, "no JSON in a cell, but a null", "files: t.csv, null_values: [NA]", "a,b\n[1],x\nNA,y\n",
			"a: {type: int64, shape: [-1], encoding: json, missing: omit}"),
		csvFault(badRow, "two values in a cell", "a,b\n1,x\n1 2,y\n", "a: {type: int64, encoding: json}"),
		csvFault(badRow, "a list in a cell for one value", "a,b\n1,x\n[1],y\n", "a: {type: int64, encoding: json}"),
		csvFault(badRow, "a text in a list in a cell", "a,b\n[1],x\n\"[1, \"\"p\"\"]\",y\n",
			"a: {type: int64, shape: [-1], encoding: json}"),
		csvFault(badRow, "too deep in a cell", "a,b\n[1],x\n"+strings.Repeat("[", 1001)+strings.Repeat("]",
			1001)+",y\n", "a: {type: int64, shape: [-1, -1], encoding: json}"),
		csvFault(badRow, "a text that is not in the map", "a,b\nyes,x\nYes,y\n",
			"a: {type: int64, map: {\"yes\": 1, \"no\": 0}}"),
		csvFault(accepted, "a text that is not in the map, with unknown", "a,b\nyes,x\nYes,y\n",
			"a: {type: int64, map: {values: {\"yes\": 1}, unknown: -1}}"),
		csvFault(badRow, "a number that no class has", "a,b\n1,x\n2,y\n",
			"a: {classes: {names: [cat, dog], numbers: true}}"),
		csvFault(badRow, "a name where numbers are", "a,b\n1,x\ncat,y\n",
			"a: {classes: {names: [cat, dog], numbers: true}}"),
		csvFault(badRow, "a tensor that is not filled", "a,b\n1 2,x\n1 2 3,y\n",
			"a: {type: uint8, separator: \" \", shape: [2], tensor: true}"),
		csvFault(badRow, "raw bytes that are not filled", "a,b\n1 2,x\n1,y\n",
			"a: {type: uint8, separator: \" \", shape: [2], raw: true}"),
		csvFault(badRow, "beyond a half", "a,b\n65504,x\n65520,y\n", "a: {type: float16, raw: true}"),
		csvFault(accepted, "a whole uint64 in raw bytes", "a,b\n18446744073709551615,x\n",
			"a: {type: uint64, raw: true}"),
		input(badRow, "a text that split.map lacks",
			"source:\n  csv: {files: t.csv}\n  split: {column: b, map: {x: train}}\nfeatures: {a: int64}\n",
			map[string]string{"t.csv": "a,b\n1,x\n2,y\n"}),
		lines(badRow, "lists of another depth", "features: {a: {type: int64, shape: [-1, -1]}}\n",
			"{\"a\": [[1], []]}\n{\"a\": [[1], 2]}\n"),
		lines(badRow, "lists of lists in lists", "features: {a: {type: int64, shape: [-1, -1]}}\n",
			"{\"a\": [[1], []]}\n{\"a\": [[[1]]]}\n"),
		lines(badRow, "an innermost list of another length", "features: {a: {type: int64, shape: [-1, -1, 2]}}\n",
			"{\"a\": [[[1, 2]], []]}\n{\"a\": [[[1]]]}\n"),
		lines(badRow, "lists of other lengths in a row", "record: sequence\nsequence: {a: int64, b: int64}\n",
			"{\"a\": [1], \"b\": [2]}\n{\"a\": [1, 2], \"b\": [3]}\n"),
		lines(accepted, "lists of other lengths in a row, with lengths: free",
			"record: sequence\nlengths: free\nsequence: {a: int64, b: int64}\n", "{\"a\": [1, 2], \"b\": [3]}\n"),
		lines(badRow, "a step that is not filled", "record: sequence\nsequence: {a: {type: int64, shape: [2]}}\n",
			"{\"a\": [[1, 2]]}\n{\"a\": [[1, 2], [3]]}\n"),
		lines(badRow, "one value for steps", "record: sequence\nsequence: {a: int64}\n", "{\"a\": [1]}\n{\"a\": 1}\n"),
		lines(accepted, "no list for steps", "record: sequence\nsequence: {a: int64}\n", "{\"a\": [1]}\n{\"b\": 1}\n"),
		lines(badRow, "no number in JSON", "record: json\nfeatures: {a: {type: float, nonfinite: allow}}\n",
			"{\"a\": 1}\n{\"a\": \"nan\"}\n"),
		lines(badRow, "no payload", "record: {text: a}\n", "{\"a\": \"x\"}\n{\"b\": 1}\n"),
		lines(refused, "no payload at all", "record: {text: b}\n", "{\"a\": \"x\"}\n"),
		lines(refused, "neither context nor sequence", "record: sequence\n", "{\"a\": [1]}\n"),
	}
	return append(list, arrayFaults()...)
}

// arrayFaults are features that an array is not.
func arrayFaults() []fault {
	idx := func(data string, dims ...uint32) string {
		b := []byte{0, 0, 8, byte(len(dims))}
		for _, n := range dims {
			b = binary.BigEndian.AppendUint32(b, n)
		}
		return string(b) + data
	}
	files := map[string]string{"a.idx": idx("\x01\x02\x03\x04\x05\x06\x07\x08", 2, 2, 2), "b.idx": idx("\x01\x02", 2),
		"c.idx": idx("\x01\x02\x03", 3)}
	arrays := func(v verdict, name, columns, features string) fault {
		return input(v, name, "source: {arrays: {columns: {"+columns+"}}}\nfeatures: {"+features+"}\n", files)
	}
	return []fault{
		arrays(accepted, "the shape of an array", "a: a.idx, b: b.idx", "a: {tensor: true}, b: {}"),
		arrays(accepted, "another shape of as many values", "a: a.idx", "a: {type: float, shape: [4]}"),
		arrays(refused, "a shape that an array does not fill", "a: a.idx, b: b.idx",
			"a: {shape: [3]}, b: {shape: [2, 2]}"),
		arrays(refused, "arrays of other lengths", "a: a.idx, c: c.idx", "a: {raw: true}, c: {}"),
		arrays(refused, "a map of an array without a type", "b: b.idx", "b: {map: {\"1\": 0.5}}"),
		input(refused, "two sources that do not agree",
			"sources:\n- name: x\n  arrays: {columns: {a: a.idx}}\n- name: y\n  arrays: {columns: {a: "+
				"b.idx}}\nfeatures: {a: {raw: true}}\n", files),
	}
}
