package badinput

import "strings"

// hintFaults are faults that a hint helps against, and what it says is done.
func hintFaults() []fault {
	fold := "source:\n  csv: {files: t.csv}\n  split: {column: fold}\nfeatures: {a: int64}\n"
	folds := map[string]string{"t.csv": "a,fold\n1,0\n2,1\n"}
	both := "sources:\n- split: {column: fold}\n  csv: {files: t.csv}\n- name: x\n  split: {fractions: {train: 50%, " +
		"test: 50%}}\n  csv: {files: u.csv}\nfeatures: {a: int64}\n"
	return []fault{
		input(badRow, "a number for a split", fold, folds),
		input(badRow, "a number for a split, where others have names", both,
			map[string]string{"t.csv": "a,fold\n1,0\n", "u.csv": "a\n1\n"}),
		input(accepted, "a number for a split, as the hint says",
			strings.Replace(fold, "column: fold", `column: fold, map: {"0": train, "1": test}`, 1), folds),
		csvFault(badRow, "spaces before an integer", "a,b\n1,x\n 7,x\n", "a: int64"),
		csvFault(badRow, "a tab after a float", "a,b\n1,x\n7\t,x\n", "a: float"),
		csvFault(badRow, "spaces around a bool", "a,b\n1,x\n true ,x\n", "a: bool"),
		csvFault(badRow, "spaces before a class", "a,b\ncat,x\n cat,x\n", "a: {classes: [cat]}"),
		csvFault(badRow, "spaces in quotes", "a,b\n1,x\n\" 7\",x\n", "a: int64"),
		csvFault(badRow, "nothing but spaces", "a,b\n1,x\n  ,x\n", "a: int64"),
		csvWith(accepted, "spaces, as the hint says", "files: t.csv, trim: true", "a,b\n1,x\n 7,x\n", "a: int64"),
		input(badRow, "spaces in a line of text", "source: {text: {files: t.txt}}\nfeatures: {text: int64}\n",
			map[string]string{"t.txt": "1\n 7\n"}),
		input(badRow, "spaces in a lookup table",
			"source:\n  csv: {files: t.csv}\n  join: [{csv: {files: u.csv}, on: a}]\nfeatures: {b: int64}\n",
			map[string]string{"t.csv": "a\n1\n", "u.csv": "a,b\n1, 7\n"}),
		csvFault(refused, "a matrix in a cell", "x\n1\n", "x: {type: float, shape: [8, 8]}"),
	}
}
