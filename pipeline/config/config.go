package config

import (
	"path/filepath"
)

// A Config describes a dataset. All defaults are filled in.
type Config struct {
	File string // the name it was loaded under
	Dir  string // the folder that relative paths are relative to; see Resolve

	Name        string    `yaml:"name" is:"name" required:"yes" doc:"name of the dataset, in its metadata and in file name templates"`
	Version     string    `yaml:"version" default:"1.0.0" is:"version" doc:"x.y.z, in its metadata"`
	Description string    `yaml:"description" doc:"a text for its metadata"`
	Output      string    `yaml:"output" is:"path" required:"yes" canonical:"-" doc:"the folder of the dataset; the tool makes it"`
	Sources     []Source  `yaml:"sources" doc:"where the rows come from"`
	Features    Features  `yaml:"features" doc:"the features of the Example, each with how it is made"`
	Order       string    `yaml:"order" default:"shuffled" enum:"shuffled source" doc:"the order of the rows"`
	Seed        uint64    `yaml:"seed" default:"0" doc:"of the shuffled order"`
	OrderKey    string    `yaml:"order_key" is:"column" doc:"a column whose hash takes the place of the address"`
	Shards      Shards    `yaml:"shards" doc:"how many files a split has, and their names"`
	Format      string    `yaml:"format" default:"tfrecord" enum:"tfrecord" doc:"what the files are"`
	Compression string    `yaml:"compression" default:"none" enum:"none gzip zlib" doc:"of the files"`
	Digest      string    `yaml:"digest" default:"xxh128" enum:"xxh128 sha256" doc:"of each file, in the manifest"`
	OnError     string    `yaml:"on_error" default:"fail" enum:"fail skip quarantine" doc:"what a bad row does"`
	MaxErrors   MaxErrors `yaml:"max_errors" default:"1%" doc:"how many bad rows skip and quarantine bear: a count, or a share of all rows"`
	Rejects     string    `yaml:"rejects" is:"path" canonical:"-" doc:"the file for what quarantine sets aside"`
	Limits      Limits    `yaml:"limits" doc:"what one row may claim"`

	places map[string]place
}

// Resolve makes a path of the config absolute or relative to the working
// directory, as Dir is.
func (c *Config) Resolve(path string) string {
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
	return filepath.Clean(output) + ".rejects.jsonl"
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

// Steps are what a source does besides its kind. A config's own are those of
// every source that has none of that name.
type Steps struct {
	Split  Split  `yaml:"split" doc:"the split of the rows"`
	Rename Pairs  `yaml:"rename" doc:"columns and their other names"`
	Set    Pairs  `yaml:"set" doc:"columns that hold the same text in every row"`
	Join   []Join `yaml:"join" doc:"side tables whose columns are added"`
	Load   Loads  `yaml:"load" doc:"files that the row names"`
}

// A Pair is a key and its text.
type Pair struct {
	Key, Value string
	At         string // its path in the config
}

// Pairs are a mapping of texts, in the order of the file.
type Pairs []Pair

// A Source is a set of rows of one kind: one of CSV, JSONL, Images and Folder
// is not nil.
type Source struct {
	At string // its path in the config: `source`, `sources[0]`

	Name     string  `yaml:"name" is:"line" doc:"part of the addresses of its rows"`
	CSV      *CSV    `yaml:"csv" doc:"rows of CSV files"`
	JSONL    *JSONL  `yaml:"jsonl" doc:"rows of files with a JSON object a line"`
	Images   *Images `yaml:"images" doc:"a folder of image files, each a row"`
	Folder   *Folder `yaml:"folder" doc:"a folder of any files, each a row"`
	FromPath string  `yaml:"from_path" is:"pathpattern" doc:"columns out of the file's relative path"`
	Steps
}

// CSV is a kind of source, and of side table.
type CSV struct {
	Files      Files    `yaml:"files" required:"yes" doc:"a pattern, or a list of patterns"`
	Root       string   `yaml:"root" is:"path" doc:"the folder that addresses are relative to"`
	Delimiter  string   `yaml:"delimiter" default:"," is:"delimiter" doc:"one character, or tab"`
	Header     bool     `yaml:"header" default:"true" doc:"whether the first row names the columns"`
	Columns    []string `yaml:"columns" doc:"the names of the columns, in order"`
	Quotes     string   `yaml:"quotes" default:"rfc4180" enum:"rfc4180 none" doc:"whether quotes are syntax or data"`
	Encoding   string   `yaml:"encoding" default:"utf-8" enum:"utf-8 utf-16le utf-16be latin-1" doc:"of the text"`
	NullValues []string `yaml:"null_values" empty:"ok" doc:"texts that mean missing"`
	Trim       bool     `yaml:"trim" default:"false" doc:"whether spaces and tabs around unquoted cells go"`
	SkipLines  int      `yaml:"skip_lines" default:"0" range:"0 1000000000" doc:"lines before the header"`
	Comment    string   `yaml:"comment" is:"character" doc:"lines that begin with this character are passed over"`
	AllowEmpty bool     `yaml:"allow_empty" default:"false" doc:"whether no row at all is no fault"`
}

// JSONL is a kind of source, and of side table.
type JSONL struct {
	Files      Files  `yaml:"files" required:"yes" doc:"a pattern, or a list of patterns"`
	Root       string `yaml:"root" is:"path" doc:"the folder that addresses are relative to"`
	AllowEmpty bool   `yaml:"allow_empty" default:"false" doc:"whether no row at all is no fault"`
}

// Files are the patterns that name the files of a table.
type Files struct {
	Patterns []string // as written
	IsList   bool     // written as a list, even of one
}

// Images is a kind of source.
type Images struct {
	Dir              string     `yaml:"dir" is:"path" required:"yes" doc:"the folder"`
	Extensions       Extensions `yaml:"extensions" default:"[jpg, jpeg, png, gif, bmp, webp]" doc:"of the files wanted, in any case, or any"`
	Include          Patterns   `yaml:"include" doc:"patterns of the relative paths wanted"`
	Exclude          Patterns   `yaml:"exclude" doc:"patterns of relative paths not wanted"`
	ClassPerFile     string     `yaml:"class_per_file" is:"path" doc:"a file with the class of each image, a line each"`
	FollowLinks      bool       `yaml:"follow_links" default:"false" doc:"whether symbolic links below the folder are followed"`
	Check            string     `yaml:"check" default:"structure" enum:"header structure decode" doc:"how far a file is looked through"`
	FormatMismatch   string     `yaml:"format_mismatch" default:"accept" enum:"accept error" doc:"a file whose content is not what its extension says"`
	AllowUnsupported bool       `yaml:"allow_unsupported" default:"false" doc:"whether images of another format are taken"`
}

// Folder is a kind of source.
type Folder struct {
	Dir         string     `yaml:"dir" is:"path" required:"yes" doc:"the folder"`
	Extensions  Extensions `yaml:"extensions" default:"any" doc:"of the files wanted, in any case, or any"`
	Include     Patterns   `yaml:"include" doc:"patterns of the relative paths wanted"`
	Exclude     Patterns   `yaml:"exclude" doc:"patterns of relative paths not wanted"`
	FollowLinks bool       `yaml:"follow_links" default:"false" doc:"whether symbolic links below the folder are followed"`
}

// Patterns are patterns of relative paths.
type Patterns []string

// Extensions say which files of a folder are wanted.
type Extensions struct {
	Any  bool
	List []string // in lower case, without the dot
}

// A Join adds the columns of a side table: one of CSV and JSONL is not nil.
type Join struct {
	At string // its path in the config: `join[0]`, `sources[1].join[0]`

	CSV    *CSV   `yaml:"csv" doc:"the side table, of CSV files"`
	JSONL  *JSONL `yaml:"jsonl" doc:"the side table, of JSONL files"`
	On     On     `yaml:"on" required:"yes" doc:"the column joined on, or ours and theirs"`
	Many   bool   `yaml:"many" default:"false" doc:"whether a row may have many matches; its columns are lists then"`
	Prefix string `yaml:"prefix" is:"line" doc:"put before the names of its columns"`
}

// On names the column of the row and that of the side table.
type On struct{ Ours, Theirs string }

// A Loaded is a file that the row names.
type Loaded struct {
	Name string // the column, and with Image the prefix of the facts' columns
	At   string // its path in the config: `load.image`

	Path string `yaml:"path" is:"template" required:"yes" doc:"the path below dir, with columns in braces"`
	Dir  string `yaml:"dir" is:"path" required:"yes" doc:"the folder that the file stays inside"`
	As   string `yaml:"as" default:"image" enum:"image bytes" doc:"an image with its facts, or just the content"`
}

// Loads are the files that a row names, in the order of the config.
type Loads []Loaded

// Limits are what one row may claim.
type Limits struct {
	Record  int64 `yaml:"record" default:"64MiB" is:"size" range:"1 2147483647" doc:"bytes of a row"`
	Columns int   `yaml:"columns" default:"100000" range:"1 16777216" doc:"cells of a row"`
	Depth   int   `yaml:"depth" default:"1000" range:"1 100000" doc:"nesting of a JSON value"`
	Pixels  int64 `yaml:"pixels" default:"178956970" range:"1 1099511627776" doc:"of an image"`
}
