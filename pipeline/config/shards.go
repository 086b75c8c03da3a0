package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Shards say how many files a split has: one of Hosts, Count and Size is set.
type Shards struct {
	Hosts    int    `yaml:"hosts" range:"1 100000" doc:"Number of machines that read the dataset; tfr-build chooses a number of files for them." example:"8"`
	Count    Count  `yaml:"count" doc:"Number of files per split, or a number for each split." example:"{train: 16, test: 1}"`
	Size     int64  `yaml:"size" is:"size" range:"1 1152921504606846976" doc:"Target size of a file before compression." example:"200MB"`
	Filename string `yaml:"filename" default:"{SPLIT}-{SHARD_X_OF_Y}" is:"filename" doc:"Template of the file names. Default: {SPLIT}-{SHARD_X_OF_Y}."`
}

// alone reports whether every split is one file, which needs no number.
func (s *Shards) alone() bool {
	return s.Count.Every == 1 || s.Count.Splits != nil && !slices.ContainsFunc(s.Count.Splits, func(of SplitCount) bool { return of.Count != 1 })
}

// A Count is a number of files: of every split, or of each.
type Count struct {
	Every  int          // 0 where each split has its own
	Splits []SplitCount // in the order of the config
}

// A SplitCount is the number of files of one split.
type SplitCount struct {
	Split string
	Count int
}

// Of is the number of files of split; 0 where the config gives none.
func (c Count) Of(split string) int {
	for _, s := range c.Splits {
		if s.Split == split {
			return s.Count
		}
	}
	return c.Every
}

// maxShards is the most files that a split may have: six digits in their names.
const maxShards = 1_000_000

func decodeShards(d *decoder, at spot, s *Shards) {
	switch {
	case at.kind == mappingNode:
		d.fields(at, reflect.ValueOf(s).Elem())
		var given []string
		for _, key := range []string{"hosts", "count", "size"} {
			if at.has(key) {
				given = append(given, key)
			}
		}
		if len(given) > 1 {
			d.bad(subPath(at.path, given[1]), "%s exclude each other", strings.Join(given, " and "))
		}
		if len(given) == 0 {
			s.Hosts = 1
		}
	case looksLikeNumber(at.node):
		*s = Shards{Count: Count{Every: d.shards(at)}, Filename: defaultFilename}
	default:
		d.expected(at, "a number of files, or a mapping with hosts, count or size")
	}
}

// defaultFilename is the template of a config that says none.
const defaultFilename = "{SPLIT}-{SHARD_X_OF_Y}"

// filenames are those of formats whose readers expect another: OneFlow's, and that
// which TFDS gives its own files.
var filenames = map[string]string{
	"ofrecord":     "{SPLIT}/part-{SHARD_INDEX}",
	"array_record": "{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}",
}

// shards is a number of files.
func (d *decoder) shards(at spot) int { return int(d.between(at, 1, maxShards)) }

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
	case s.Size > 0:
		n.add("size", plainNode(inBytes(strconv.FormatInt(s.Size, 10))))
	default:
		n.add("count", encodeCount(e, s.Count))
	}
	if !isUsual {
		n.add("filename", textNode(s.Filename))
	}
	return n
}

func shardsSchema(g *generator) object {
	return anyOf(shardCount(), g.ref(reflect.TypeFor[Shards]()))
}

func shardCount() object {
	return orVariable(object{"type": "integer", "minimum": 1, "maximum": maxShards})
}

func decodeCount(d *decoder, at spot, c *Count) {
	switch {
	case looksLikeNumber(at.node):
		c.Every = d.shards(at)
		return
	case at.kind != mappingNode:
		d.expected(at, "a number of files, or a mapping of splits to their numbers")
		return
	case len(at.pairs) == 0:
		d.bad(at.path, "found no split; expected a number of files for each")
	}
	for _, q := range at.pairs {
		sub := d.entry(at, q)
		d.places[sub.path] = q.at // for a split that does not exist, which shows later
		checkSplitName(d, q.at, sub.path, q.key)
		c.Splits = append(c.Splits, SplitCount{q.key, d.shards(sub)})
	}
}

func encodeCount(_ encoder, c Count) *node {
	if c.Splits == nil {
		return plainNode(strconv.Itoa(c.Every))
	}
	return entries(c.Splits, func(q SplitCount) (string, *node) { return q.Split, plainNode(strconv.Itoa(q.Count)) })
}

func countSchema(*generator) object { return anyOf(shardCount(), mappingOf(shardCount())) }
