package statistics

import (
	"encoding/json"

	"tfr-build/message"
)

// DocumentFormat is the number of the form of a Document.
const DocumentFormat = 1

// A Document is the statistics of a dataset: the file _tfr/statistics.json. It
// depends on the values of the records alone, and not on the order in which they
// were counted.
type Document struct {
	Format   int       `json:"format"` // DocumentFormat
	Record   string    `json:"record"` // what a record is, as a config has it: example, sequence …
	Splits   []Split   `json:"splits"`
	Features []Feature `json:"features"` // in the order of their keys
}

// A Split is the records of one split.
type Split struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`            // of their payloads
	Broken  int64  `json:"broken,omitempty"` // records that are no such message; their features are not counted

	// MoreKeys says that the records have more keys than can be counted, and that
	// the last ones in order are left out.
	MoreKeys bool `json:"more_keys,omitempty"`
}

// A Kind says what the values of a feature are taken for.
type Kind string

// The kinds of features.
const (
	Number Kind = "number"
	Class  Kind = "class" // an integer that stands for a name, or a bool
	Text   Kind = "text"  // bytes that are to be UTF-8
	Bytes  Kind = "bytes"
	Image  Kind = "image"
)

// A Feature is the statistics of one key.
type Feature struct {
	Key     string       `json:"key"`
	List    message.List `json:"list"` // that holds the values: int64_list …
	Kind    Kind         `json:"kind"`
	Steps   bool         `json:"steps,omitempty"`   // a feature list of a SequenceExample
	First   int64        `json:"first,omitempty"`   // the number of the first class
	Classes []string     `json:"classes,omitempty"` // the names of the classes, in the order of their numbers
	Splits  []Values     `json:"splits"`            // beside Document.Splits
}

// Values are the statistics of a feature in one split.
type Values struct {
	Present int64 `json:"present"`          // records that have the key, with or without values
	Missing int64 `json:"missing"`          // records that lack it
	Others  int64 `json:"others,omitempty"` // records that have it in another list: neither present nor missing
	Count   int64 `json:"count"`            // values of all records
	Least   int64 `json:"least"`            // values of one record that has the key
	Most    int64 `json:"most"`

	Distinct  int64 `json:"distinct"`            // values that differ
	Estimated bool  `json:"estimated,omitempty"` // Distinct is within 4 %; else it is exact

	// Top are the most frequent values, the most frequent one first, equally
	// frequent ones in order. Where Estimated, they are the most frequent of the
	// values that a sample of the records has twice or more. Each is counted exactly. Images
	// and values that are kept out have none.
	Top   []Top `json:"top,omitempty"`
	Other int64 `json:"other,omitempty"` // values that are not in Top

	ByClass []int64  `json:"by_class,omitempty"` // of Class: how often each of Feature.Classes occurs
	Unknown int64    `json:"unknown,omitempty"`  // of Class: values that are no number of one
	Numbers *Numbers `json:"numbers,omitempty"`  // of Number and Class
	Sizes   *Numbers `json:"sizes,omitempty"`    // of the others: bytes of a value
	NotUTF8 int64    `json:"not_utf8,omitempty"` // of Text and Bytes
	Empty   int64    `json:"empty,omitempty"`    // values of no bytes
	Images  *Images  `json:"images,omitempty"`   // of Image
}

// A Top is one value and how often it occurs.
type Top struct {
	Value string `json:"value"`         // a number in decimal, the name of a class, or a text of at most 80 bytes with what is no UTF-8 escaped
	Cut   bool   `json:"cut,omitempty"` // the value is longer
	Count int64  `json:"count"`
}

// Numbers describe numbers. NaN and infinities are only counted; all else is of
// the finite ones, and zero where there is none.
type Numbers struct {
	Finite    int64       `json:"finite"`
	Zeros     int64       `json:"zeros"`
	NaN       int64       `json:"nan,omitempty"`
	PosInf    int64       `json:"pos_inf,omitempty"`
	NegInf    int64       `json:"neg_inf,omitempty"`
	Min       json.Number `json:"min"` // exact
	Max       json.Number `json:"max"`
	Mean      float64     `json:"mean"`                // of exact sums, rounded once
	Deviation float64     `json:"deviation"`           // of the population
	Quantiles []float64   `json:"quantiles,omitempty"` // beside QuantileShares, within 1 %
	Histogram []Bin       `json:"histogram,omitempty"` // the same bounds in each split
}

// QuantileShares are the shares of the values that are at most Numbers.Quantiles.
var QuantileShares = [...]float64{0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99}

// The indexes of some shares in [QuantileShares].
const (
	At1, At25, At50, At75, At99 = 0, 3, 4, 5, 8
)

// ImageSize returns the number of images of a feature, and the width and height in pixels that all
// of them have. one is false if they differ, or there are none.
func (f *Feature) ImageSize() (images int64, width, height json.Number, one bool) {
	one = true
	for i := range f.Splits {
		m := f.Splits[i].Images
		if m == nil || m.Width.Finite == 0 {
			continue
		}
		if images == 0 {
			width, height = m.Width.Min, m.Height.Min
		}
		images += m.Width.Finite
		one = one && m.Width.Min == width && m.Width.Max == width && m.Height.Min == height && m.Height.Max == height
	}
	return images, width, height, one && images > 0
}

// A Bin is the numbers from Low up to High; the last bin of a histogram holds High
// too. Its count is exact.
type Bin struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count int64   `json:"count"`
	Open  bool    `json:"open,omitempty"` // of the first and the last bin: it holds what lies beyond its outer end, too
}

// Images describe images as their headers have them.
type Images struct {
	Formats     []Top   `json:"formats"` // jpeg, png …
	Colorspaces []Top   `json:"colorspaces"`
	Channels    []Top   `json:"channels"`
	Width       Numbers `json:"width"` // of those that could be read
	Height      Numbers `json:"height"`
	Grid        []Cell  `json:"grid,omitempty"`
	Unreadable  int64   `json:"unreadable,omitempty"` // values that are no image
}

// A Cell is the images whose width and height lie between two powers of the root
// of two: from Width and Height up.
type Cell struct {
	Width  int64 `json:"width"`
	Height int64 `json:"height"`
	Count  int64 `json:"count"`
}
