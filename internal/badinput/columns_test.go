package badinput

import (
	"fmt"
	"strings"
)

// columnFaults are configs with columns that do not exist: one error names all of them.
func columnFaults() []fault {
	var many []string
	for i := range 25 {
		many = append(many, fmt.Sprintf("f%02d: int64", i))
	}
	three := []string{"agge: int64", "nmae: bytes", "d: float"}
	two := map[string]string{"1.csv": "age,name\n1,x\n", "2.csv": "age\n1\n", "3.csv": "name,name\nx,y\n",
		"notes/1.txt": ""}
	return []fault{
		csvFault(refused, "three absent columns", "age,name\n1,x\n", three...),
		csvFault(refused, "25 absent columns", "a,b\n1,2\n", many...),
		csvFault(refused, "absent columns of a table with another delimiter", "agge;nmae;d\n1;2;3\n", three...),
		csvFault(refused, "features of one absent column", "a\n1\n", "x: {from: b, type: int64}",
			"y: {from: b, type: bytes}"),
		input(refused, "columns that one file lacks or has twice",
			"source: {csv: {files: [1.csv, 2.csv, 3.csv]}}\nfeatures: {age: int64, name: bytes}\n", two),
		input(refused, "columns that some sources lack",
			"sources:\n- csv: {files: 2.csv}\n- csv: {files: 1.csv}\n- folder: {dir: notes}\nfeatures: {age: int64, "+
				"name: bytes}\n", two),
		input(refused, "a column for a feature and the split",
			"source: {csv: {files: t.csv}, split: {column: part}}\norder_key: user\nfeatures: {a: int64, part: "+
				"bytes}\n",
			map[string]string{"t.csv": "a\n1\n"}),
		input(refused, "columns to rename", "source: {csv: {files: t.csv}, rename: {x: y, z: w}}\nfeatures: {a: "+
			"int64}\n", map[string]string{"t.csv": "a\n1\n"}),
		csvFault(refused, "names of columns that are nearly right", "sepal length (cm),sepal width (cm)\n1,2\n",
			strings.Split("sepal_length_(cm): float|sepal width: float", "|")...),
	}
}
