package statistics

import (
	"encoding/json"

	"tfr-build/message"
)

// DocumentFormat is the version of the format of a Document.
const DocumentFormat = 1

// A Document is the statistics of a dataset, stored in _tfr/statistics.json. It depends on the
// values of the records alone, not on their order.
type Document struct {
	Format   int       `json:"format"` // DocumentFormat
	Record   string    `json:"record"` // the type of a record, as in a config: example, sequence …
	Splits   []Split   `json:"splits"`
	Features []Feature `json:"features"` // sorted by key
}

// A Split has the totals of one split.
type Split struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`            // of the payloads
	Broken  int64  `json:"broken,omitempty"` // unparsable records; their features are not counted

	// MoreKeys is true if the records have more keys than the limit. The last keys in order are
	// missing from the Document.
	MoreKeys bool `json:"more_keys,omitempty"`
}

// A Kind says how the values of a feature are interpreted.
type Kind string

// The kinds of features.
const (
	Number Kind = "number"
	Class  Kind = "class" // an integer that represents a name, or a bool
	Text   Kind = "text"  // bytes that are expected to be UTF-8
	Bytes  Kind = "bytes"
	Image  Kind = "image"
)

// A Feature is the statistics of one key.
type Feature struct {
	Key     string       `json:"key"`
	List    message.List `json:"list"` // the type of list that has the values: int64_list …
	Kind    Kind         `json:"kind"`
	Steps   bool         `json:"steps,omitempty"`   // a feature list of a SequenceExample
	First   int64        `json:"first,omitempty"`   // the number of the first class
	Classes []string     `json:"classes,omitempty"` // class names in the order of their numbers
	Splits  []Values     `json:"splits"`            // in the order of Document.Splits
}

// Values are the statistics of a feature in one split.
type Values struct {
	Present int64 `json:"present"`          // records that have the key, with or without values
	Missing int64 `json:"missing"`          // records without the key
	Others  int64 `json:"others,omitempty"` // records with the key in another type of list
	Count   int64 `json:"count"`            // values of all records
	Least   int64 `json:"least"`            // minimum number of values in a record that has the key
	Most    int64 `json:"most"`             // maximum number of values in a record

	Distinct  int64 `json:"distinct"`            // distinct values
	Estimated bool  `json:"estimated,omitempty"` // Distinct is an estimate with an error of at most 4 %

	// Top lists the most frequent values, most frequent first; ties are in the order of the
	// values. Each count is exact. If Estimated is true, only values that occur at least twice in
	// a sample of the records are considered. Top is empty for images, and if values may not be
	// shown.
	Top   []Top `json:"top,omitempty"`
	Other int64 `json:"other,omitempty"` // values that are not in Top

	ByClass []int64  `json:"by_class,omitempty"` // Class only: the count of each of Feature.Classes
	Unknown int64    `json:"unknown,omitempty"`  // Class only: values that are not a class
	Numbers *Numbers `json:"numbers,omitempty"`  // Number and Class only
	Sizes   *Numbers `json:"sizes,omitempty"`    // all other kinds: sizes of the values in bytes
	NotUTF8 int64    `json:"not_utf8,omitempty"` // Text and Bytes only
	Empty   int64    `json:"empty,omitempty"`    // values of 0 bytes
	Images  *Images  `json:"images,omitempty"`   // Image only
}

// A Top is a value and its count.
type Top struct {
	// Value is a decimal number, the name of a class, or a string of at most 80 bytes. Bytes that
	// are not UTF-8 are escaped.
	Value string `json:"value"`
	Cut   bool   `json:"cut,omitempty"` // Value is truncated
	Count int64  `json:"count"`
}

// Numbers describe numbers. All fields except the counts of NaN and infinities describe the
// finite numbers. Without finite numbers they are zero.
type Numbers struct {
	Finite    int64       `json:"finite"`
	Zeros     int64       `json:"zeros"`
	NaN       int64       `json:"nan,omitempty"`
	PosInf    int64       `json:"pos_inf,omitempty"`
	NegInf    int64       `json:"neg_inf,omitempty"`
	Min       json.Number `json:"min"` // exact
	Max       json.Number `json:"max"`
	Mean      float64     `json:"mean"`                // from exact sums, rounded once
	Deviation float64     `json:"deviation"`           // population standard deviation
	Quantiles []float64   `json:"quantiles,omitempty"` // in the order of QuantileShares, within 1 %
	Histogram []Bin       `json:"histogram,omitempty"` // with the same bounds in each split
}

// QuantileShares are the probabilities of the quantiles in [Numbers].
var QuantileShares = [...]float64{0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99}

// Indexes of some probabilities in [QuantileShares].
const (
	At1, At25, At50, At75, At99 = 0, 3, 4, 5, 8
)

// ImageSize returns the number of images of a feature, and their width and height in pixels. one
// is true if there are images and all of them have this size.
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

// A Bin counts the numbers from Low up to, but not including, High. The last bin of a histogram
// includes High. The count is exact.
type Bin struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count int64   `json:"count"`
	Open  bool    `json:"open,omitempty"` // first and last bin only: it includes all numbers beyond
}

// Images describe images by their headers.
type Images struct {
	Formats     []Top   `json:"formats"` // jpeg, png …
	Colorspaces []Top   `json:"colorspaces"`
	Channels    []Top   `json:"channels"`
	Width       Numbers `json:"width"` // of the readable images
	Height      Numbers `json:"height"`
	Grid        []Cell  `json:"grid,omitempty"`
	Unreadable  int64   `json:"unreadable,omitempty"` // values that are not an image
}

// A Cell counts images by size. Its width is from Width up to √2 times Width, and its height from
// Height up to √2 times Height, in pixels.
type Cell struct {
	Width  int64 `json:"width"`
	Height int64 `json:"height"`
	Count  int64 `json:"count"`
}
