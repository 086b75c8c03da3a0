package config

import (
	"strings"

	"tfr-build/framing"
	"tfr-build/internal/store"
	"tfr-build/pixels/convert"
	"tfr-build/sources"
)

// A Config describes a dataset. All defaults are filled in.
type Config struct {
	File string // name that it was loaded by
	Dir  string // directory of relative paths; see Resolve

	Name        string             `yaml:"name" is:"name" required:"yes" doc:"Name of the dataset: lower-case letters, digits, and _." example:"penguins"`
	Version     string             `yaml:"version" default:"1.0.0" is:"version" doc:"Version of the dataset: three numbers. Default: 1.0.0."`
	Description string             `yaml:"description" doc:"Description of the dataset, for its metadata." example:"Penguins of the Palmer Archipelago"`
	Output      string             `yaml:"output" is:"path" required:"yes" canonical:"-" doc:"Directory of the dataset, or its URL in a bucket. {version} stands for the version." example:"out/penguins"`
	Link        string             `yaml:"link" is:"linkname" canonical:"-" doc:"Symbolic link to the latest version, next to the versions." example:"latest"`
	Keep        int                `yaml:"keep" range:"1 1000000" canonical:"-" doc:"Number of versions that are kept, the new one included. Default: all." example:"3"`
	Append      string             `yaml:"append" is:"linkname" canonical:"-" doc:"Version, or link to one, whose shards the new version keeps; only files that it does not have are read." example:"latest"`
	Sources     []Source           `yaml:"sources" doc:"Sources of the rows, in order." example:"[{csv: a.csv}, {jsonl: b.jsonl}]"`
	Record      Record             `yaml:"record" default:"example" canonical:"set" doc:"Payload of a record: example, sequence, json_example, json, or one column. Default: example."`
	Features    Features           `yaml:"features" doc:"Features of each record: NAME: TYPE or NAME: {…}." example:"{age: int64, species: {classes: auto}}"`
	Context     Features           `yaml:"context" doc:"Features that a SequenceExample has once." example:"{id: int64}"`
	Sequence    Features           `yaml:"sequence" doc:"Features of a SequenceExample that are lists of steps." example:"{tokens: int64}"`
	Lengths     string             `yaml:"lengths" default:"equal" enum:"equal free" canonical:"set" doc:"Lengths of the lists of a SequenceExample: equal or free. Default: equal."`
	Group       *Group             `yaml:"group" doc:"Puts the rows with equal values into one record, or into windows of it." example:"{by: [station, day], sort: time}"`
	Where       sources.Expression `yaml:"where" doc:"Expression over the columns; rows for which it is false are filtered." example:"age >= 18"`
	Dedupe      *Dedupe            `yaml:"dedupe" doc:"Skips rows that are equal to another one; {} compares all columns of the features." example:"{by: [image]}"`
	Sample      *convert.Share     `yaml:"sample" doc:"Share of the rows that is kept. A smaller sample is part of a larger one." example:"10%"`
	Limit       RowLimits          `yaml:"limit" doc:"Largest number of rows per split, or of each value of a column in it: the first ones in output order." example:"{train: 1000}"`
	AllowEmpty  bool               `yaml:"allow_empty" default:"false" canonical:"set" doc:"Accepts a dataset without records, if where, sample, or windows skip all rows. Default: false."`
	Order       string             `yaml:"order" default:"shuffled" enum:"shuffled source inception-py2 inception-py3" doc:"Order of the rows: shuffled, source, or that of Inception's script. Default: shuffled."`
	Seed        uint64             `yaml:"seed" default:"0" doc:"Seed of the shuffled order. Default: 0, or 12345 for the orders of Inception's script."`
	Threads     int                `yaml:"threads" default:"8" range:"1 100000" canonical:"set" doc:"Number of threads of Inception's script, for its orders only. Default: 8."`
	OrderKey    string             `yaml:"order_key" is:"column" doc:"Column whose hash decides the shuffled order, instead of the address." example:"user_id"`
	Shards      Shards             `yaml:"shards" doc:"Number of files per split, or {hosts: N}, {count: …}, {size: …}. Default: {hosts: 1}." example:"{size: 200MB}"`
	Format      framing.Name       `yaml:"format" default:"tfrecord" doc:"File format: tfrecord, webdataset, ofrecord, or array_record. Default: tfrecord."`
	WebDataset  *WebDataset        `yaml:"webdataset" doc:"Key and members of the records of format: webdataset." example:"{key: '{stem}', members: {jpg: image, cls: label}}"`
	Metadata    string             `yaml:"metadata" enum:"hidden" canonical:"set" doc:"Place of the TFDS files: hidden puts them into _tfr/tfds, which Spark ignores."`
	Compression string             `yaml:"compression" default:"none" enum:"none gzip zlib zstd" doc:"Compression of the files; zstd is for array_record only. Default: none."`
	Index       bool               `yaml:"index" default:"false" canonical:"set" doc:"Writes an index of each file, for DALI, Energon, wids, and random access. Default: false."`
	Digest      string             `yaml:"digest" default:"xxh128" enum:"xxh128 sha256" doc:"Checksum of each file in the manifest. Default: xxh128, or sha256 with provenance."`
	Provenance  bool               `yaml:"provenance" default:"false" canonical:"set" doc:"Writes _tfr/provenance.json, a statement of what the dataset was made from. Default: false."`
	OnError     string             `yaml:"on_error" default:"fail" enum:"fail skip quarantine" doc:"Action for an invalid row: fail, skip, or quarantine. Default: fail."`
	MaxErrors   *MaxErrors         `yaml:"max_errors" default:"1%" doc:"Largest number or share of invalid rows that skip and quarantine accept. Default: 1%."`
	Rejects     string             `yaml:"rejects" is:"localpath" canonical:"-" doc:"File for quarantined rows. Default: OUTPUT.rejects.jsonl." example:"rejects.jsonl"`
	Limits      Limits             `yaml:"limits" doc:"Limits for one row." example:"{record: 128MiB}"`
	Statistics  Statistics         `yaml:"statistics" default:"true" canonical:"set" doc:"Statistics of the values: true, false, or a mapping. Default: true."`
	Report      bool               `yaml:"report" default:"true" canonical:"set" doc:"Writes _tfr/report.html, a page that shows the dataset. Default: true."`
	TFX         bool               `yaml:"tfx" default:"true" canonical:"set" doc:"Writes the schema and statistics for TFX, if TFX can read the records. Default: true."`
	Checks      *Checks            `yaml:"checks" doc:"Checks that the dataset must pass." example:"{rows: {train: 1000}, leakage: 0}"`
	OnCheck     string             `yaml:"on_check" default:"warn" enum:"warn fail" canonical:"set" doc:"Action if a check fails: warn, or fail without publishing. Default: warn."`
	Card        *Card              `yaml:"card" doc:"Description of the dataset for its Croissant file." example:"{license: CC0-1.0, url: 'https://example.org', creator: me, date_published: '2026-11-21'}"`
	Store       *Store             `yaml:"store" canonical:"-" doc:"Endpoints of the buckets in URLs." example:"{s3: {region: eu-central-1}}"`

	text      Text
	variables []string // sorted
	lines     []string // lines of the text
	positions positions
}

// Resolve returns a path of the config as an absolute path, or as one relative to the working
// directory if Dir is relative. A URL is returned as it is.
func (c *Config) Resolve(path string) string {
	return store.Resolve(c.Dir, path)
}

// Tolerant reports whether invalid rows are skipped.
func (c *Config) Tolerant() bool { return c.OnError != "fail" }

// RejectsFile returns the file of the quarantined rows of the dataset at output: `rejects` of the
// config, or a file next to the output.
func (c *Config) RejectsFile(output string) string {
	if c.Rejects != "" {
		return c.Resolve(c.Rejects)
	}
	return strings.TrimSuffix(store.Clean(output), "/") + ".rejects.jsonl"
}

// Splits returns the names of the splits in the order of the config. The result known is false if
// the values of a column are names of splits.
func (c *Config) Splits() (names []string, known bool) {
	return splitNames(c.Sources)
}

// Unit returns what splits and shards count: rows, or with `group` records.
func (c *Config) Unit() string {
	if c.Group != nil {
		return "record"
	}
	return "row"
}

// Folds returns the largest number of folds of a source; 0 if no source has folds.
func (c *Config) Folds() (n int) {
	for i := range c.Sources {
		n = max(n, c.Sources[i].Split.FoldCount())
	}
	return n
}

// A document is the content of a config file: a Config, and the keys that are merged into its
// sources after decoding.
type document struct {
	Config
	Source *Source `yaml:"source" doc:"Source of the rows, with exactly one source type." example:"{csv: penguins.csv}"`
	Steps
}

// Limits are the limits for one row.
type Limits struct {
	Record  int64 `yaml:"record" default:"64MiB" is:"size" range:"1 2147483647" doc:"Largest size of a row. Default: 64MiB."`
	Group   int   `yaml:"group" default:"1000000" range:"1 16777216" canonical:"set" doc:"Largest number of rows of a group. Default: 1000000."`
	Columns int   `yaml:"columns" default:"100000" range:"1 16777216" doc:"Largest number of cells of a row. Default: 100000."`
	Depth   int   `yaml:"depth" default:"1000" range:"1 100000" doc:"Deepest nesting of a JSON value. Default: 1000."`
	Pixels  int64 `yaml:"pixels" default:"178956970" range:"1 1099511627776" doc:"Largest number of pixels of an image; the images and masks of a row may have ten times as many together. Default: 178956970."`
}
