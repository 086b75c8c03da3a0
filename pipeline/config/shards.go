package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/framing"
)

// Shards is the number of files of a split: one of Hosts, Count, Size, and Rows is set.
type Shards struct {
	Hosts    int    `yaml:"hosts" range:"1 100000" doc:"Number of machines that read the dataset; tfr-build chooses a number of files for them." example:"8"`
	Count    Count  `yaml:"count" doc:"Number of files per split, or a number for each split." example:"{train: 16, test: 1}"`
	Size     int64  `yaml:"size" is:"size" range:"1 1152921504606846976" doc:"Target size of a file before compression." example:"200MB"`
	Rows     int64  `yaml:"rows" range:"1 1000000000000" doc:"Number of rows of each file; the last one has the rest." example:"10000"`
	Filename string `yaml:"filename" default:"{SPLIT}-{SHARD_X_OF_Y}" is:"filename" doc:"Template of the file names. Default: {SPLIT}-{SHARD_X_OF_Y}."`
}

// isSingleFile reports whether each split is one file, whose name needs no number.
func (s *Shards) isSingleFile() bool {
	return s.Count.Every == 1 || s.Count.Splits != nil && !slices.ContainsFunc(s.Count.Splits, func(of SplitCount) bool { return of.Count != 1 })
}

// A Count is a number of files: the same for all splits, or one for each split.
type Count struct {
	Every  int          // 0 if each split has its own
	Splits []SplitCount // in the order of the config
}

// A SplitCount is the number of files of one split.
type SplitCount struct {
	Split string
	Count int
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

func decodeShards(d *decoder, at spot, s *Shards) {
	switch {
	case at.kind == mappingNode:
		d.decodeFields(at, reflect.ValueOf(s).Elem())
		var given []string
		for _, key := range []string{"hosts", "count", "size", "rows"} {
			if at.hasKey(key) {
				given = append(given, key)
			}
		}
		if len(given) > 1 {
			d.report(subPath(at.path, given[1]), "%s exclude each other", strings.Join(given, " and "))
		}
		if len(given) == 0 {
			s.Hosts = 1
		}
	case looksLikeNumber(at.node):
		*s = Shards{Count: Count{Every: d.readShardCount(at)}, Filename: defaultFilename}
	default:
		d.reportExpected(at, "a number of files, or a mapping with hosts, count, size or rows")
	}
}

// defaultFilename is the template if the config sets neither a template nor a format.
var defaultFilename = framing.Default().Filename

// readShardCount returns a number of files.
func (d *decoder) readShardCount(at spot) int { return int(d.readBetween(at, 1, MaxShards)) }

func encodeShards(e encoder, s Shards) *node {
	n := &node{kind: mappingNode}
	isUsual := e.isShort && s.Filename == defaultFilename
	switch {
	case isUsual && s.Hosts == 1:
		return nil
	case isUsual && s.Hosts == 0 && s.Count.Every > 0:
		return encodeCount(e, s.Count)
	case s.Hosts > 0:
		n.add("hosts", plainNode(strconv.Itoa(s.Hosts)))
	case s.Rows > 0:
		n.add("rows", plainNode(strconv.FormatInt(s.Rows, 10)))
	case s.Size > 0:
		n.add("size", plainNode(inBytes(strconv.FormatInt(s.Size, 10))))
	default:
		n.add("count", encodeCount(e, s.Count))
	}
	if !isUsual {
		n.add("filename", stringNode(s.Filename))
	}
	return n
}

func shardsSchema(g *generator) object {
	return anyOf(shardCount(), g.ref(reflect.TypeFor[Shards]()))
}

func shardCount() object {
	return orVariable(object{"type": "integer", "minimum": 1, "maximum": MaxShards})
}

func decodeCount(d *decoder, at spot, c *Count) {
	switch {
	case looksLikeNumber(at.node):
		c.Every = d.readShardCount(at)
		return
	case at.kind != mappingNode:
		d.reportExpected(at, "a number of files, or a mapping of splits to their numbers")
		return
	case len(at.pairs) == 0:
		d.report(at.path, "found no split; expected a number of files for each")
	}
	for _, q := range at.pairs {
		sub := d.entry(at, q)
		d.positions[sub.path] = q.at // for a split that does not exist, which is checked later
		checkSplitName(d, q.at, sub.path, q.key)
		c.Splits = append(c.Splits, SplitCount{q.key, d.readShardCount(sub)})
	}
}

func encodeCount(_ encoder, c Count) *node {
	if c.Splits == nil {
		return plainNode(strconv.Itoa(c.Every))
	}
	return encodeMapping(c.Splits, func(q SplitCount) (string, *node) { return q.Split, plainNode(strconv.Itoa(q.Count)) })
}

func countSchema(*generator) object { return anyOf(shardCount(), mappingOf(shardCount())) }
