package sources

import (
	"tfr-build/sources/arrays"
	"tfr-build/sources/csv"
	"tfr-build/sources/folder"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	document "tfr-build/sources/json"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/parquet"
	"tfr-build/sources/tar"
	"tfr-build/sources/text"
	records "tfr-build/sources/tfrecord"
	"tfr-build/sources/zip"
)

// A Kind is a kind of source: a row of Kinds.
type Kind struct {
	Name    string // its key in a config
	Doc     string // of the key of a source
	SideDoc string // of that of a side table; empty for a kind that is none
	Cells   bool   // its values are texts without a type, some of which may mean missing
	New     func() input.Options
}

// Kinds are all kinds, in the order of a config's keys.
var Kinds = []Kind{
	{"csv", "rows of CSV files", "the side table, of CSV files", true, func() input.Options { return new(csv.Options) }},
	{"jsonl", "rows of files with a JSON object a line", "the side table, of JSONL files", false, func() input.Options { return new(jsonl.Options) }},
	{"json", "rows of an array in JSON documents", "the side table, of JSON documents", false, func() input.Options { return new(document.Options) }},
	{"images", "a folder of image files, each a row", "", false, func() input.Options { return new(images.Options) }},
	{"folder", "a folder of any files, each a row", "", false, func() input.Options { return new(folder.Options) }},
	{"text", "rows of text files, a line each", "", true, func() input.Options { return new(text.Options) }},
	{"arrays", "rows of arrays in .npy, .npz and IDX files", "", true, func() input.Options { return new(arrays.Options) }},
	{"parquet", "rows of Parquet files", "the side table, of Parquet files", false, func() input.Options { return new(parquet.Options) }},
	{"tfrecord", "records of TFRecord files", "", true, func() input.Options { return new(records.Options) }},
	{"tar", "samples in tar archives, as WebDataset lays them out", "the side table, of samples in tar archives", true, func() input.Options { return new(tar.Options) }},
	{"zip", "the members of zip archives, each a row", "the side table, of the members of zip archives", false, func() input.Options { return new(zip.Options) }},
}

// Chosen is the kind of a source or a side table, with its options.
type Chosen struct {
	Name    string // of Kinds
	Options input.Options
}

// EmptyAllowed reports whether no row at all is no fault.
func (c *Chosen) EmptyAllowed() bool {
	o, ok := c.Options.(interface{ EmptyAllowed() bool })
	return ok && o.EmptyAllowed()
}
