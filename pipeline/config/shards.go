package config

import (
	"reflect"
	"slices"

	"tfr-build/framing"
)

// Shards is the number of files of a split: one of Hosts, Count, Size, and Rows is set.
type Shards struct {
	Hosts    int    `yaml:"hosts" alone:"yes" range:"1 100000" doc:"Number of machines that read the dataset; tfr-build chooses a number of files for them." example:"8"`
	Count    Count  `yaml:"count" alone:"yes" doc:"Number of files per split, or a number for each split." example:"{train: 16, test: 1}"`
	Size     int64  `yaml:"size" alone:"yes" is:"size" range:"1 1152921504606846976" doc:"Target size of a file before compression." example:"200MB"`
	Rows     int64  `yaml:"rows" alone:"yes" range:"1 1000000000000" doc:"Number of rows of each file; the last one has the rest." example:"10000"`
	Filename string `yaml:"filename" default:"{SPLIT}-{SHARD_X_OF_Y}" is:"filename" doc:"Template of the file names. Default: {SPLIT}-{SHARD_X_OF_Y}."`
}

// isSingleFile reports whether each split is one file, whose name needs no number.
func (s *Shards) isSingleFile() bool {
	return s.Count.Every == 1 || s.Count.Splits != nil &&
		!slices.ContainsFunc(s.Count.Splits, func(of SplitCount) bool { return of.Count != 1 })
}

// A Count is a number of files: the same for all splits, or one for each split.
type Count struct {
	Every  int         `range:"1 1000000"` // 0 if each split has its own
	Splits SplitCounts // in the order of the config
}

// SplitCounts are in the order of the config.
type SplitCounts []SplitCount

// A SplitCount is the number of files of one split.
type SplitCount struct {
	Split string
	Count int `range:"1 1000000"`
}

// Of returns the number of files of split; 0 if the config does not set it.
func (c Count) Of(split string) int {
	for _, s := range c.Splits {
		if s.Split == split {
			return s.Count
		}
	}
	return c.Every
}

// MaxShards is the largest number of files of a split: their names have six digits.
const MaxShards = 1_000_000

// setHosts sets the number of machines if no key says how many files there are.
func setHosts(_ *decoder, _ spot, s *Shards) {
	if s.Hosts+s.Count.Every == 0 && s.Count.Splits == nil && s.Size+s.Rows == 0 {
		s.Hosts = 1
	}
}

// defaultFilename is the template if the config sets neither a template nor a format.
var defaultFilename = framing.Default().Filename

// writeShards omits the default from the short text, and writes one number of files alone there.
func writeShards(e encoder, v reflect.Value) *node {
	n := e.encodeFields(v)
	switch {
	case !e.isShort || len(n.pairs) != 1:
	case n.pairs[0].key == "count" && n.pairs[0].value.isScalar():
		return n.pairs[0].value
	case n.pairs[0].key == "hosts" && n.pairs[0].value.text == "1":
		return nil
	}
	return n
}

func shardCount() object {
	return orVariable(object{"type": "integer", "minimum": 1, "maximum": MaxShards})
}
