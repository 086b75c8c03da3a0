package checks

import "encoding/json"

// Expected is what a config expects of a dataset. What is nil or empty is not
// checked.
type Expected struct {
	Features  []Feature
	Rows      []Rows
	SplitSkew *float64 // at most, in bits, beside what chance makes
	Leakage   *int64   // rows whose content also stands in another split, at most
	Classes   *Classes
	By        string // the key of the only feature whose values are classes; empty for those that have names
}

// A Feature is what is expected of the values of one key, in each split.
type Feature struct {
	Key      string
	Min, Max json.Number // empty for any
	Missing  *uint64     // at most, of the records, in millionths of a percent
	Distinct *int64      // at most
	Finite   bool        // no NaN and no infinity
	Values   []string    // all that there may be: texts, numbers in decimal, the names of classes
}

// Rows is how many rows a split has at least.
type Rows struct {
	Split string
	Least int64
}

// Classes is what is expected of classes.
type Classes struct {
	Empty        bool // a class without any row is fine, and a row without a class
	InEverySplit bool // each class that some row has is to be in each split
}

// A Leak is how many rows of a split have a content that also stands in another.
type Leak struct {
	Split string
	Rows  int64
}
