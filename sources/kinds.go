package sources

import (
	"tfr-build/sources/arrays"
	"tfr-build/sources/csv"
	"tfr-build/sources/folder"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/json"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/parquet"
	"tfr-build/sources/tar"
	"tfr-build/sources/text"
	"tfr-build/sources/tfrecord"
	"tfr-build/sources/xml"
	"tfr-build/sources/zip"
)

// A Kind is a source type.
type Kind struct {
	Name    string // its key in a config
	Doc     string // description of the key of a source
	SideDoc string // description of the key of a lookup table; empty if the type cannot be one
	Example string // value of the key, in YAML
	Cells   bool   // its values are strings without a type, and some may mean missing
	New     func() input.Options

	Describe func() *input.Description // describes the type for init
}

func newOptions[T any, P interface {
	*T
	input.Options
}]() input.Options {
	return P(new(T))
}

// Kinds are all source types, in the order of the config's keys.
var Kinds = []Kind{
	{"csv", "Rows of CSV files: a file, or a mapping.", "Lookup table of CSV files.", "data/penguins.csv", true,
		newOptions[csv.Options], csv.Describe},
	{"jsonl", "Rows of JSON Lines files: one object per line.", "Lookup table of JSON Lines files.", "data/rows.jsonl",
		false, newOptions[jsonl.Options], jsonl.Describe},
	{"json", "Rows of an array in JSON documents.", "Lookup table of JSON documents.",
		"{files: instances.json, rows: annotations}", false, newOptions[json.Options], json.Describe},
	{"xml", "XML documents in a directory, or elements of documents; each is a row.",
		"Lookup table of XML documents, or of their elements.", "{dir: Annotations}", true, newOptions[xml.Options],
		xml.Describe},
	{"images", "Image files in a directory; each file is a row.", "", "{dir: photos}", false,
		newOptions[images.Options], images.Describe},
	{"folder", "Any files in a directory; each file is a row.", "", "{dir: clips, extensions: [wav]}", false,
		newOptions[folder.Options], folder.Describe},
	{"text", "Lines of text files; each line is a row.", "Lookup table of the lines of text files.", "corpus.txt", true,
		newOptions[text.Options], text.Describe},
	{"arrays", "Rows of arrays in .npy, .npz, and IDX files.", "", "{columns: {image: images.npy, label: labels.npy}}",
		true, newOptions[arrays.Options], arrays.Describe},
	{"parquet", "Rows of Parquet files: a file, or a mapping.", "Lookup table of Parquet files.", "data/rows.parquet",
		false, newOptions[parquet.Options], parquet.Describe},
	{"tfrecord", "Records of existing TFRecord files.", "", "'old/*.tfrecord'", true, newOptions[tfrecord.Options],
		tfrecord.Describe},
	{"tar", "Samples of tar archives in WebDataset layout.", "Lookup table of samples in tar archives.",
		"'shards/*.tar'", true, newOptions[tar.Options], tar.Describe},
	{"zip", "Members of zip archives; each member is a row.", "Lookup table of the members of zip archives.",
		"photos.zip", false, newOptions[zip.Options], zip.Describe},
}

// A Chosen is the source type of a source or a lookup table, with its options.
type Chosen struct {
	Name    string // as in Kinds
	Options input.Options
}

// EmptyAllowed reports whether the input may have no rows.
func (c *Chosen) EmptyAllowed() bool {
	o, ok := c.Options.(interface{ EmptyAllowed() bool })
	return ok && o.EmptyAllowed()
}
