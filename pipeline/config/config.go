package config

import (
	"path/filepath"
	"strings"

	"tfr-build/sources"
	"tfr-build/sources/files"
)

// A Config describes a dataset. All defaults are filled in.
type Config struct {
	File string // the name it was loaded under
	Dir  string // the folder that relative paths are relative to; see Resolve

	Name        string             `yaml:"name" is:"name" required:"yes" doc:"name of the dataset, in its metadata and in file name templates"`
	Version     string             `yaml:"version" default:"1.0.0" is:"version" doc:"x.y.z, in its metadata"`
	Description string             `yaml:"description" doc:"a text for its metadata"`
	Output      string             `yaml:"output" is:"path" required:"yes" canonical:"-" doc:"the folder of the dataset, or its URL in a bucket; the tool makes it; {version} in its last name is the version"`
	Link        string             `yaml:"link" is:"linkname" canonical:"-" doc:"a symbolic link beside the versions that names the one built last"`
	Keep        int                `yaml:"keep" range:"1 1000000" canonical:"-" doc:"how many versions stay: the one that is built, and older ones"`
	Sources     []Source           `yaml:"sources" doc:"where the rows come from"`
	Record      Record             `yaml:"record" default:"example" canonical:"set" doc:"what the payload of a record is"`
	Features    Features           `yaml:"features" doc:"the features of the Example, each with how it is made"`
	Context     Features           `yaml:"context" doc:"the features of a SequenceExample that it has once"`
	Sequence    Features           `yaml:"sequence" doc:"the features of a SequenceExample that are lists of steps"`
	Lengths     string             `yaml:"lengths" default:"equal" enum:"equal free" canonical:"set" doc:"whether the lists of a SequenceExample are equally long"`
	Where       sources.Expression `yaml:"where" doc:"which rows are taken: an expression over their columns"`
	Sample      *Share             `yaml:"sample" doc:"the share of the rows that is taken; a smaller one is within a larger one"`
	Limit       RowLimits          `yaml:"limit" doc:"how many rows a split has at most: the first in the order of the dataset"`
	Order       string             `yaml:"order" default:"shuffled" enum:"shuffled source inception-py2 inception-py3" doc:"the order of the rows; inception-…: order and files as Inception's script gives them"`
	Seed        uint64             `yaml:"seed" default:"0" doc:"of the shuffled order; 12345 unless it is given for those of Inception's script"`
	Threads     int                `yaml:"threads" default:"8" range:"1 100000" canonical:"set" doc:"of Inception's script, for its orders alone: they divide the count of files"`
	OrderKey    string             `yaml:"order_key" is:"column" doc:"a column whose hash takes the place of the address"`
	Shards      Shards             `yaml:"shards" doc:"how many files a split has, and their names"`
	Format      string             `yaml:"format" default:"tfrecord" enum:"tfrecord ofrecord array_record" doc:"what the files are"`
	Metadata    string             `yaml:"metadata" enum:"hidden" canonical:"set" doc:"hidden: the files of TFDS stand in _tfr/tfds, where Spark does not look"`
	Compression string             `yaml:"compression" default:"none" enum:"none gzip zlib zstd" doc:"of the files; zstd: of each record, in those of array_record"`
	Index       bool               `yaml:"index" default:"false" canonical:"set" doc:"whether each file has an index, for DALI and for random access"`
	Digest      string             `yaml:"digest" default:"xxh128" enum:"xxh128 sha256" doc:"of each file, in the manifest"`
	OnError     string             `yaml:"on_error" default:"fail" enum:"fail skip quarantine" doc:"what a bad row does"`
	MaxErrors   MaxErrors          `yaml:"max_errors" default:"1%" doc:"how many bad rows skip and quarantine accept: a count, or a share of all rows"`
	Rejects     string             `yaml:"rejects" is:"localpath" canonical:"-" doc:"the file for what quarantine sets aside"`
	Limits      Limits             `yaml:"limits" doc:"what one row may claim"`
	Statistics  Statistics         `yaml:"statistics" default:"true" canonical:"set" doc:"whether values are counted, and how"`
	Checks      *Checks            `yaml:"checks" doc:"what is expected of the dataset"`
	OnCheck     string             `yaml:"on_check" default:"warn" enum:"warn fail" canonical:"set" doc:"what a dataset does that is not as expected; fail: it stays out of sight"`
	Card        *Card              `yaml:"card" doc:"what Croissant says of the dataset beside its files"`
	Store       *Store             `yaml:"store" canonical:"-" doc:"where the buckets of URLs are reached"`

	text   Text
	places places
}

// Resolve makes a path of the config absolute or relative to the working
// directory, as Dir is. A URL stays one.
func (c *Config) Resolve(path string) string {
	if files.IsURL(path) {
		return strings.TrimSuffix(path, "/")
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(c.Dir, path)
}

// RejectsFile is where rejects go for the dataset at output, as the config
// says or beside it.
func (c *Config) RejectsFile(output string) string {
	if c.Rejects != "" {
		return c.Resolve(c.Rejects)
	}
	if !files.IsURL(output) {
		output = filepath.Clean(output)
	}
	return strings.TrimSuffix(output, "/") + ".rejects.jsonl"
}

// Splits names the splits in the order of the config. known is false where the
// values of a column name them.
func (c *Config) Splits() (names []string, known bool) {
	return splitNames(c.Sources)
}

// A document is the text of a config: a Config, and what is folded into its
// sources when all of it is read.
type document struct {
	Config
	Source *Source `yaml:"source" doc:"where the rows come from, if from one source"`
	Steps
}

// Limits are what one row may claim.
type Limits struct {
	Record  int64 `yaml:"record" default:"64MiB" is:"size" range:"1 2147483647" doc:"bytes of a row"`
	Columns int   `yaml:"columns" default:"100000" range:"1 16777216" doc:"cells of a row"`
	Depth   int   `yaml:"depth" default:"1000" range:"1 100000" doc:"nesting of a JSON value"`
	Pixels  int64 `yaml:"pixels" default:"178956970" range:"1 1099511627776" doc:"of an image"`
}
