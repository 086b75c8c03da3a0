package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
)

// A Split says which split a row is in: one by name, or by fractions, or by a
// column.
type Split struct {
	At   string // its path in the config; empty where that has none
	Name string // of the split that all rows are in; empty for the other forms

	Fractions Fractions `yaml:"fractions" doc:"splits and their shares, which sum to 100%"`
	By        string    `yaml:"by" is:"column" doc:"the column whose text decides, instead of the address"`
	Column    string    `yaml:"column" is:"column" doc:"a column whose values name the splits"`
}

// Fractions are shares of the rows, in the order of the config.
type Fractions []Fraction

// A Fraction is the share of the rows that a split gets.
type Fraction struct {
	Split string
	Share uint64 // in millionths of a percent: Whole is everything
}

// Whole is a share of 100 %.
const Whole = 100_000_000

const maxSplits = 100

// Names are the splits in the order of the config; none for Column.
func (s *Split) Names() []string {
	var names []string
	if s.Name != "" {
		names = append(names, s.Name)
	}
	for _, f := range s.Fractions {
		names = append(names, f.Split)
	}
	return names
}

// splitNames lists the splits of sources; known is false where values of a
// column name some.
func splitNames(sources []Source) (names []string, known bool) {
	known = true
	for i := range sources {
		s := &sources[i].Split
		known = known && s.Column == ""
		for _, name := range s.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, known
}

func (s *Split) decode(p *parser, path string, n *node) {
	if n.kind == mappingNode {
		p.fields(path, n, reflect.ValueOf(s).Elem())
		p.splitForm(path, n)
		return
	}
	s.At = path
	if name, ok := p.text(path, n, "a split's name, or fractions, or a column"); ok {
		s.Name = name
		p.splitName(path, name)
	}
}

func (p *parser) splitForm(path string, n *node) {
	fractions, by, column := n.has("fractions"), n.has("by"), n.has("column")
	switch {
	case !p.fineInside(path):
	case fractions && column:
		p.bad(path+".column", "fractions and column exclude each other")
	case by && !fractions:
		p.bad(path+".by", "by is for fractions; there are none")
	case !fractions && !column:
		p.bad(path, "want a split's name, or fractions, or a column")
	}
}

func (p *parser) splitName(path, name string) {
	switch {
	case name == "all":
		p.bad(path, `the split "all" means every split to readers; want another name`)
	case !splitRule.MatchString(name) || len(name) > 100:
		p.bad(path, "found the split %s; want a letter, then letters, digits and _, at most 100", quoteValue(name))
	}
}

func (f *Fractions) decode(p *parser, path string, n *node) {
	if n.kind != mappingNode || len(n.pairs) == 0 {
		p.wants(path, n, "a mapping of splits to shares")
		return
	}
	sum, before := uint64(0), len(p.problems.List)
	for _, q := range n.pairs {
		sub := subPath(path, q.key)
		p.places[sub] = q.at
		p.splitName(sub, q.key)
		share := p.share(sub, q.value)
		*f = append(*f, Fraction{q.key, share})
		sum += share
	}
	if sum != Whole && len(p.problems.List) == before {
		p.bad(path, "the shares sum to %s; want 100%%", formatShare(sum))
	}
}

// Shards say how many files a split has: one of Hosts, Count and Size is set.
type Shards struct {
	Hosts    int    `yaml:"hosts" range:"1 100000" doc:"machines that read the dataset: the tool chooses a count for them"`
	Count    Count  `yaml:"count" doc:"the number of files, of every split or of each"`
	Size     int64  `yaml:"size" is:"size" range:"1 1152921504606846976" doc:"bytes of a file"`
	Filename string `yaml:"filename" default:"{SPLIT}-{SHARD_X_OF_Y}" is:"filename" doc:"a template of the files' names"`
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

const maxShards = 1_000_000

func (s *Shards) decode(p *parser, path string, n *node) {
	switch {
	case n.kind == mappingNode:
		p.fields(path, n, reflect.ValueOf(s).Elem())
		var given []string
		for _, key := range []string{"hosts", "count", "size"} {
			if n.has(key) {
				given = append(given, key)
			}
		}
		if len(given) > 1 {
			p.bad(subPath(path, given[1]), "%s exclude each other", strings.Join(given, " and "))
		}
		if len(given) == 0 {
			s.Hosts = 1
		}
	case n.isScalar() && !n.isNull():
		*s = Shards{Count: Count{Every: int(p.between(path, n, 1, maxShards))}, Filename: defaultFilename}
	default:
		p.wants(path, n, "a number of files, or a mapping with hosts, count or size")
	}
}

const defaultFilename = "{SPLIT}-{SHARD_X_OF_Y}"

func (c *Count) decode(p *parser, path string, n *node) {
	if n.kind != mappingNode {
		c.Every = int(p.between(path, n, 1, maxShards))
		return
	}
	if len(n.pairs) == 0 {
		p.bad(path, "found no split; want a number of files for each")
	}
	for _, q := range n.pairs {
		sub := subPath(path, q.key)
		p.places[sub] = q.at
		p.splitName(sub, q.key)
		c.Splits = append(c.Splits, SplitCount{q.key, int(p.between(sub, q.value, 1, maxShards))})
	}
}

var (
	fileVariables = []string{"DATASET", "SPLIT", "FILEFORMAT", "SHARD_INDEX", "NUM_SHARDS", "SHARD_X_OF_Y"}
	fileVariable  = regexp.MustCompile(`\{([^{}]*)\}`)
)

func filenameForm(s string) (string, string, string) {
	used := map[string]bool{}
	for _, m := range fileVariable.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(fileVariables, m[1]) {
			return s, fmt.Sprintf("the variables {%s}", strings.Join(fileVariables, "} {")), didYouMean(nearest.Of(m[1], fileVariables))
		}
		used[m[1]] = true
	}
	bare := fileVariable.ReplaceAllString(s, "")
	switch {
	case strings.ContainsAny(bare, "{}"):
		return s, "variables in braces, each closed", ""
	case strings.ContainsAny(bare, "/\x00") || strings.ContainsFunc(bare, isControl):
		return s, "a file name, without /", ""
	case strings.HasPrefix(s, "_") || strings.HasPrefix(s, "."):
		return s, "a name that begins with neither _ nor .", ""
	case !used["SPLIT"] || !used["SHARD_X_OF_Y"] && !used["SHARD_INDEX"]:
		return s, "a template that holds {SPLIT} and {SHARD_X_OF_Y}", ""
	case len(bare) > 100:
		return s, "at most 100 bytes around the variables", ""
	}
	return s, "", ""
}

// MaxErrors is how many bad rows a run bears.
type MaxErrors struct {
	Count   uint64
	Share   uint64 // in millionths of a percent, of all rows found
	IsShare bool
}

// Of is how many bad rows are borne among rows.
func (m MaxErrors) Of(rows uint64) uint64 {
	if !m.IsShare {
		return m.Count
	}
	return mulDiv(rows, m.Share, Whole)
}

func (m *MaxErrors) decode(p *parser, path string, n *node) {
	switch {
	case n.isScalar() && strings.HasSuffix(n.text, "%"):
		*m = MaxErrors{Share: p.share(path, n), IsShare: true}
	case n.isScalar() && !n.quoted && floatNumber.MatchString(n.text) && !wholeNumber.MatchString(n.text):
		p.hinted(path, shareHint(n.text), "found %s; want a count, or a share such as 1%%", quoteValue(n.text))
	default:
		m.Count = p.unsigned(path, n)
	}
}
