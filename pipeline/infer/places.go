package infer

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// A companion is files with the names of rows, which are files, too: the images of documents as in the layout of
// Pascal VOC, or the boxes or masks of images.
type companion struct {
	root      string // absolute directory that has the rows and the files
	place     place
	rows      []string // that have a file there
	files     []string
	shared    []string    // two rows with one file; nil for none
	lacking   int         // rows without a file
	deep      bool        // the files are in any directories below the place
	mixed     bool        // other text files are at the place, too
	form      *form       // of files that are joined; nil for files that are loaded
	classes   string      // file with the names of classes
	column    string      // that `load` adds
	as        string      // how `load` reads the files; empty for images
	spare     bool        // the feature is a comment
	documents *sourceType // of documents that are named in a comment; nil for other files
}

// A place says where the file of a row is, relative to the directory that has both.
type place struct {
	dir string // levels; \x00 and a number stand for that level of the row's path
	end string // what follows the name of the row, which is without its extension
}

// besideImages matches the names of directories whose images are not rows: they belong to other images.
var besideImages = regexp.MustCompile(`(?i)mask|seg|label|annot|depth|thumb|preview|^gt|ground.?truth`)

// besideEnd matches the end of the names of files that belong to other files.
var besideEnd = regexp.MustCompile(`(?i)[-_. ](mask|seg|segmentation|labels?|labelids|gt|depth|thumb|annotations?)(\.\w+)$`)

// sampledRows is the number of rows that are compared with all files of their names.
const sampledRows = 40

// mostPlaces is the largest number of places that are looked at for each row.
const mostPlaces = 100

// A placer finds the files of rows.
type placer struct {
	root    string
	rows    []string
	stems   map[string]int      // number of rows with a name
	byStem  map[string][]string // files that have the name of a row
	exists  map[string]bool     // those files
	varying []bool              // the levels of directories that differ between rows
	counts  map[place]int       // number of rows with a file at a place
	fixed   map[place]bool      // places that do not depend on the row
}

// newPlacer finds the files with the names of rows.
func newPlacer(root string, rows, files []string) *placer {
	p := &placer{
		root: root, rows: rows, varying: varyingLevels(rows), stems: map[string]int{}, byStem: map[string][]string{},
		exists: map[string]bool{}, counts: map[place]int{}, fixed: map[place]bool{},
	}
	for _, name := range rows {
		p.stems[stemOf(name)]++
	}
	for _, name := range files {
		if stem, end := p.cut(name); stem != "" {
			p.byStem[stem] = append(p.byStem[stem], name)
			p.exists[name] = true
			place := place{dir: path.Dir(name), end: end}
			p.counts[place] += p.stems[stem]
			p.fixed[place] = true
		}
	}
	return p
}

// cut returns the name of the rows that a file belongs to, and what follows it; "" if no row has it.
func (p *placer) cut(name string) (stem, end string) {
	if stem = stemOf(name); p.stems[stem] > 0 {
		return stem, path.Ext(name)
	}
	if at := besideEnd.FindStringIndex(base(name)); at != nil && p.stems[base(name)[:at[0]]] > 0 {
		return base(name)[:at[0]], base(name)[at[0]:]
	}
	return "", ""
}

// varyingLevels returns the levels of directories whose names differ between rows.
func varyingLevels(rows []string) []bool {
	first := levelsOf(rows[0])
	depth := len(first)
	varying := make([]bool, depth)
	for _, name := range rows {
		levels := levelsOf(name)
		depth = min(depth, len(levels))
		for i := range depth {
			varying[i] = varying[i] || levels[i] != first[i]
		}
	}
	return varying[:depth]
}

// levelsOf returns the directories of a path.
func levelsOf(name string) []string {
	levels := strings.Split(name, "/")
	return levels[:len(levels)-1]
}

// find returns the files of most rows that have one. Files that are in the directories
// of their rows, or in directories with the same names, are chosen before others. It returns nil if no directory has
// them, and then two files if several directories have some of the same names and none is closer, or if a row has its
// file at another place.
func (p *placer) find() (best *companion, rivals []string) {
	for _, places := range [][]place{p.findPlaces(), slices.Collect(maps.Keys(p.fixed))} {
		at, rivals, ok := p.choose(places)
		if rivals != nil {
			return nil, rivals
		}
		if !ok {
			continue
		}
		c := p.take(at, nil)
		has := map[string]bool{}
		for _, row := range c.rows {
			has[row] = true
		}
		for _, row := range p.rows {
			for _, other := range p.byStem[stemOf(row)] {
				if !has[row] && p.stems[stemOf(row)] == 1 && !besideImages.MatchString(path.Base(path.Dir(other))) {
					return nil, []string{c.files[0], other}
				}
			}
		}
		return c, nil
	}
	return nil, nil
}

// findAll returns the files at each place that has some, which are in no place before it.
func (p *placer) findAll() (list []*companion) {
	places := append(p.findPlaces(), slices.Collect(maps.Keys(p.fixed))...)
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(b.references()-a.references(), p.counts[b]-p.counts[a], strings.Compare(a.dir+a.end, b.dir+b.end))
	})
	taken := map[string]bool{}
	for _, at := range places[:min(len(places), mostPlaces)] {
		if c := p.take(at, taken); len(c.files) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// take returns the files at a place, other than those that were taken before.
func (p *placer) take(at place, before map[string]bool) *companion {
	c := &companion{root: p.root, place: at}
	taken := map[string]string{}
	for _, row := range p.rows {
		name := at.file(row)
		if !p.exists[name] || before[name] {
			c.lacking++
			continue
		}
		if other, is := taken[name]; is {
			c.shared = []string{other, row}
		} else {
			c.files = append(c.files, name)
		}
		taken[name] = row
		c.rows = append(c.rows, row)
	}
	for _, name := range c.files {
		if before != nil {
			before[name] = true
		}
	}
	return c
}

// findPlaces returns the places that depend on the directories of the rows, and counts the rows
// that have a file there.
func (p *placer) findPlaces() (places []place) {
	found := map[place]bool{}
	n := min(len(p.rows), sampledRows)
	for i := range n {
		row := p.rows[i*len(p.rows)/n]
		for _, name := range p.byStem[stemOf(row)] {
			if at := p.placeOf(row, name); at.references() > 0 && len(found) < mostPlaces {
				found[at] = true
			}
		}
	}
	for at := range found {
		for _, row := range p.rows {
			if p.exists[at.file(row)] {
				p.counts[at]++
			}
		}
		places = append(places, at)
	}
	return places
}

// placeOf returns the place of the file of a row. It refers to the levels of the row's path that vary.
func (p *placer) placeOf(row, name string) place {
	of, levels := levelsOf(row), levelsOf(name)
	for i, level := range levels {
		refersTo := func(j int) bool { return j < len(p.varying) && p.varying[j] && of[j] == level }
		j := i
		if !refersTo(j) {
			j = slices.Index(of, level)
		}
		if j >= 0 && refersTo(j) {
			levels[i] = "\x00" + strconv.Itoa(j)
		}
	}
	_, end := p.cut(name)
	return place{dir: strings.Join(levels, "/"), end: end}
}

// references returns the number of levels that depend on the row.
func (p place) references() int { return strings.Count(p.dir, "\x00") }

// reference returns the number of a level of the row's path, if a level of a place refers to one.
func reference(level string) (of int, ok bool) {
	number, ok := strings.CutPrefix(level, "\x00")
	of, _ = strconv.Atoi(number)
	return of, ok
}

// file returns the name of the file of a row at a place.
func (p place) file(row string) string {
	of := levelsOf(row)
	levels := strings.Split(p.dir, "/")
	for i, level := range levels {
		if j, ok := reference(level); ok {
			levels[i] = of[j]
		}
	}
	return path.Join(path.Join(levels...), stemOf(row)+p.end)
}

// closeness returns the number of levels that the paths of all rows have in common with a place.
func (p *placer) closeness(at place) int {
	levels := strings.Split(at.dir, "/")
	first := levelsOf(p.rows[0])
	for i, level := range levels {
		j, refers := reference(level)
		switch {
		case i < len(p.varying) && refers && i == j:
		case i < len(p.varying) && !p.varying[i] && level == first[i]:
		default:
			return i
		}
	}
	return len(levels)
}

// choose returns the place where most rows have a file. If another place has files of the same rows, and is
// as close to them, it returns a file of each instead.
func (p *placer) choose(places []place) (best place, rivals []string, ok bool) {
	isBeside := func(at place) int {
		if besideImages.MatchString(path.Base(at.dir)) {
			return 1
		}
		return 0
	}
	order := func(a, b place) int {
		return cmp.Or(b.references()-a.references(), isBeside(a)-isBeside(b), p.closeness(b)-p.closeness(a))
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(order(a, b), p.counts[b]-p.counts[a], strings.Compare(a.dir+a.end, b.dir+b.end))
	})
	at := slices.IndexFunc(places, func(at place) bool { return 2*p.counts[at] > p.having() })
	if at < 0 {
		return best, nil, false
	}
	best = places[at]
	for _, other := range places {
		if other.dir == best.dir || order(other, best) != 0 {
			continue
		}
		for _, row := range p.rows {
			if one, two := best.file(row), other.file(row); p.exists[one] && p.exists[two] {
				return best, []string{one, two}, false
			}
		}
	}
	return best, nil, true
}

// having returns the number of rows that have a file anywhere.
func (p *placer) having() (n int) {
	for stem := range p.byStem {
		n += p.stems[stem]
	}
	return n
}

// followsRows reports whether the files are in different directories for different rows.
func (c *companion) followsRows() bool { return c.place.references() > 0 }

// below returns the directories of dir below the root. dir may be empty, for the root.
func (c *companion) below(dir string) []string {
	rest, below := strings.CutPrefix(dir, c.root+"/")
	if !below {
		return nil
	}
	return strings.Split(rest, "/")
}

// addLevels returns a pattern for paths below dir that names the directories that the files depend on.
func (c *companion) addLevels(pattern, dir string) string {
	begin := len(c.below(dir))
	levels := levelsOf(pattern)
	changed := false
	for level := range strings.SplitSeq(c.place.dir, "/") {
		of, refers := reference(level)
		at := of - begin
		if !refers || at < 0 || at < len(levels) && strings.HasPrefix(levels[at], "{") {
			continue
		}
		for len(levels) <= at {
			levels = append(levels, "*")
		}
		levels[at], changed = "{directory}", true
		if at > 0 {
			levels[at] = fmt.Sprintf("{directory_%d}", at+1)
		}
	}
	if !changed {
		return pattern
	}
	return strings.Join(levels, "/") + "/**"
}

// path returns the directory of the files, and their names in it, with the columns of the rows. The column stem has
// the names of the rows without the extension, and pattern
// has the columns of the directories below dir.
func (c *companion) path(stem, pattern, dir string) (from, name string) {
	begin, columns := c.below(dir), strings.Split(pattern, "/")
	from = c.root
	var levels []string
	for level := range strings.SplitSeq(c.place.dir, "/") {
		switch at, refers := reference(level); {
		case refers && at < len(begin):
			level = begin[at]
		case refers:
			levels = append(levels, columns[at-len(begin)])
			continue
		}
		if len(levels) == 0 {
			from = store.Join(from, level)
		} else {
			levels = append(levels, level)
		}
	}
	return from, strings.Join(append(levels, "{"+stem+"}"+c.place.end), "/")
}

// anyLevels is a pattern of any directories, for paths in comments.
var anyLevels = strings.Repeat("*/", 100)

// pattern returns a pattern of the files, relative to dir; below reports whether they are below it.
func (c *companion) pattern(dir string) (pattern string, below bool) {
	from, name := c.path("stem", anyLevels, dir)
	return strings.CutPrefix(store.Join(from, braces.ReplaceAllString(name, "*")), dir+"/")
}

// load returns the entry of `load`.
func (c *companion) load(stem, pattern, dir string, relative func(string) string) line {
	from, name := c.path(stem, pattern, dir)
	as := ""
	if c.as != "" {
		as = ", as: " + c.as
	}
	return line{"  " + c.column + ": {path: " + quoted(name) + ", dir: " + scalar(relative(from)) + as + "}", c.note()}
}

// note says what the files are.
func (c *companion) note() string {
	if c.lacking > 0 {
		return plural.Of(len(c.files), "file") + " with the name of a row"
	}
	return "each row has a file of its name"
}

// stepsOf returns the lines that join and load the files of companions.
func (d *draft) stepsOf(all []*companion, stem, pattern, dir string) (lines []line) {
	loads := []line{{"load:", ""}}
	joined := 0
	for _, c := range all {
		if c.form != nil {
			joined++
		}
	}
	for _, c := range all {
		if c.form == nil {
			loads = append(loads, c.load(stem, pattern, dir, d.relative))
			continue
		}
		entry := c.join(stem, pattern, dir, d)
		if joined == 1 {
			lines = append(lines, line{"join:", entry[0].note}) // a mapping
			entry[0].note = ""
		}
		for i := range entry {
			switch {
			case joined == 1:
				entry[i].text = "  " + entry[i].text
			case i == 0:
				entry[i].text = "  - " + entry[i].text
			default:
				entry[i].text = "    " + entry[i].text
			}
		}
		if joined > 1 && lines == nil {
			lines = []line{{"join:", ""}}
		}
		lines = append(lines, entry...)
	}
	if len(loads) > 1 {
		lines = append(lines, loads...)
	}
	return lines
}

// join returns the entry of `join` that joins the files.
func (c *companion) join(stem, pattern, dir string, d *draft) []line {
	from, name := c.path(stem, pattern, dir)
	on := []string{stem}
	if c.deep {
		name = "**/" + name
	}
	for _, m := range braces.FindAllStringSubmatch(name, -1) {
		if m[1] != stem {
			on = append(on, m[1])
		}
	}
	key := stem
	if len(on) > 1 {
		key = "{"
		for _, column := range on[1:] {
			key += column + ": " + column + ", "
		}
		key += stem + ": " + stem + "}"
	}
	files := "files: " + quoted(d.relative(store.Join(from, braces.ReplaceAllString(name, "*"))))
	if c.form.objects != nil {
		if d.coco == nil {
			d.coco = &coco{COCO: &input.COCO{}, of: d.ofObjects(d.types.find(c.form.typ))}
		}
		keys := append([]line{{files, ""}}, optionLines(c.form.objects)...)
		d.coco.of.list = append(d.coco.of.list, source{split: splitOf(base(dir)), keys: keys})
	}
	lines := []line{
		{c.form.typ + ": {" + files + c.form.options + "}", c.form.what(len(c.files))},
		{"from_path: " + quoted(name), ""},
	}
	if c.mixed {
		lines = append(lines, line{"where: " + c.form.where, "other files are there, too"})
	}
	if len(c.form.derive) > 0 {
		lines = append(lines, line{"derive:", ""})
		lines = append(lines, c.form.derive...)
	}
	return append(lines, line{"on: " + key, ""}, line{"many: true", ""}, line{"prefix: objects.", ""})
}

// braces match a column in a path.
var braces = regexp.MustCompile(`\{(\w+)\}`)
