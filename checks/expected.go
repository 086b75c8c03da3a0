package checks

import "encoding/json"

// Expected has the expectations of a config. Fields that are nil or empty are not checked.
type Expected struct {
	Features  []Feature
	Rows      []Rows
	SplitSkew *float64 // maximum divergence in bits, in addition to chance
	Leakage   *int64   // maximum number of rows whose content is in another split, too
	Classes   *Classes
	By        string // key of the only feature with classes; empty: features with class names
}

// A Feature has the expectations for the values of one key in each split.
type Feature struct {
	Key      string
	Min, Max json.Number // empty: any
	Missing  *uint64     // maximum share of the records, in millionths of a percent
	Empty    *uint64     // maximum share of the strings, in millionths of a percent
	Distinct *int64      // maximum
	Finite   bool        // NaN and infinities are violations
	Values   []string    // all valid values: strings, decimal numbers, or class names
}

// Rows is the minimum number of rows in a split.
type Rows struct {
	Split string
	Least int64
}

// Classes has the expectations for classes.
type Classes struct {
	Empty        bool // classes without rows and rows without a class are valid
	InEverySplit bool // each class that occurs must be in each split
}

// A Leak is the number of rows in a split whose content is in another split, too.
type Leak struct {
	Split string
	Rows  int64
}
