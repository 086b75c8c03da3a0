package infer

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A namedRow is a row that files belong to. It is a file itself, or it is in a table.
type namedRow struct {
	path string // of the file, or of the table, relative to a directory that has all files
	name string // of the file, without its extension, or what the table says
}

// nameSigns divide the parts of a name, and wordEnd matches those from the first word on.
const nameSigns = "-_. "

var wordEnd = regexp.MustCompile(`[` + nameSigns + `]\pL.*$`)

// A place says where the file of a row is.
type place struct {
	dir string // levels, in which references stand for levels of the row's path
	end string // what follows the name of the row
}

// reference matches the number of a level of the row's path, in a level of a place.
var reference = regexp.MustCompile(`\x00(\d+)\x01`)

// refer returns the reference to a level of the row's path.
func refer(at int) string { return "\x00" + strconv.Itoa(at) + "\x01" }

// replaceReferences replaces each reference in levels.
func replaceReferences(levels string, by func(at int) string) string {
	return reference.ReplaceAllStringFunc(levels, func(own string) string {
		at, _ := strconv.Atoi(own[1 : len(own)-1])
		return by(at)
	})
}

// references returns the number of levels that depend on the row.
func (p place) references() int { return strings.Count(p.dir, "\x00") }

// of returns the place for a row.
func (p place) of(row namedRow) place {
	if p.references() > 0 {
		levels := levelsOf(row.path)
		p.dir = replaceReferences(p.dir, func(at int) string { return levels[at] })
	}
	return p
}

// file returns the name of the file of a row at a place.
func (p place) file(row namedRow) string { return path.Join(p.of(row).dir, row.name+p.end) }

// levelsOf returns the directories of a path.
func levelsOf(name string) []string {
	levels := strings.Split(name, "/")
	return levels[:len(levels)-1]
}

// besideImages matches the names of directories whose images are not rows, and the last words of such images: they
// belong to other images.
var besideImages = regexp.MustCompile(
	`(?i)mask|seg|label|annot|depth|thumb|preview|ground.?truth|^(?-i:gt|GT)($|(?-i:[^a-z]))`)

// isBesideImages reports whether the images in a directory belong to others.
func isBesideImages(dir string) bool {
	return besideImages.MatchString(dir) && !strings.Contains(strings.ToLower(dir), "unlabel")
}

// sampledRows is the number of rows that are compared with all files of their names.
const sampledRows = 40

// mostPlaces is the largest number of places that are looked at for each row.
const mostPlaces = 100

// A finder finds the files of rows.
type finder struct {
	root    string // absolute directory that has the rows and the files
	rows    []namedRow
	end     string             // what follows the names of all rows in the names of their files
	names   map[string]int     // number of rows with a name
	places  map[string][]place // of the files that have the name of a row
	exists  map[string]bool    // these files
	counts  map[place]int      // number of files at a place
	varying []bool             // the levels of directories that differ between rows
	having  int                // number of rows that have a file anywhere
	beside  bool               // the files are masks, or others in directories that besideImages matches
	column  string             // with the names of the files; empty if they have the names of others
}

func newFinder(root string, rows []namedRow) *finder {
	f := &finder{root: root, rows: rows, names: map[string]int{}, places: map[string][]place{},
		exists: map[string]bool{}, counts: map[place]int{}}
	first := levelsOf(rows[0].path)
	f.varying = make([]bool, len(first))
	for _, row := range rows {
		f.names[row.name]++
		levels := levelsOf(row.path)
		f.varying = f.varying[:min(len(f.varying), len(levels))]
		for i := range f.varying {
			f.varying[i] = f.varying[i] || levels[i] != first[i]
		}
	}
	return f
}

// newFileFinder returns a finder for rows that are files. If the names of all of them have one end, from a word on,
// such as _leftImg8bit, files may have the name before it.
func newFileFinder(root string, names []string) *finder {
	end := stemOf(names[0])
	for _, name := range names {
		for !strings.HasSuffix(stemOf(name), end) {
			end = end[1:]
		}
	}
	end = wordEnd.FindString(end)
	rows := make([]namedRow, len(names))
	for i, name := range names {
		rows[i] = namedRow{name, strings.TrimSuffix(stemOf(name), end)}
	}
	f := newFinder(root, rows)
	f.end = end
	return f
}

// add adds a file at a place that has the name of a row.
func (f *finder) add(file, name string, at place) {
	f.exists[file] = true
	if f.places[name] == nil {
		f.having += f.names[name]
	}
	f.places[name] = append(f.places[name], at)
	f.counts[at]++
}

// addFiles adds those files whose names are the name of a row, or begin with it and a sign such as _.
func (f *finder) addFiles(files []string) *finder {
	for _, file := range files {
		stem, end := stemOf(file), path.Ext(file)
		for at := len(stem); at > 0 && f.names[stem] == 0; at = strings.LastIndexAny(stem[:at], nameSigns) {
			stem, end = base(file)[:at], base(file)[at:]
		}
		if f.names[stem] > 0 {
			f.add(file, stem, place{path.Dir(file), end})
		}
	}
	return f
}

// has reports whether a row has a file at a place.
func (f *finder) has(row namedRow, at place) bool {
	return f.exists[at.file(row)]
}

// follow returns a place with references to the levels of a row's path that vary.
func (f *finder) follow(row namedRow, at place) place {
	of := levelsOf(row.path)[:len(f.varying)]
	if !slices.ContainsFunc(of, func(level string) bool { return strings.Contains(at.dir, level) }) {
		return at // of another row of the name, of which many may exist
	}
	levels := strings.Split(at.dir, "/")
	for i, level := range levels {
		refersTo := func(j int) bool { return j >= 0 && j < len(of) && f.varying[j] && of[j] == level }
		j := i
		if !refersTo(j) {
			j = slices.Index(of, level)
		}
		if refersTo(j) {
			levels[i] = refer(j)
			continue
		}
		for j, own := range of {
			isPart := f.varying[j] && (strings.HasPrefix(level, own) || strings.HasSuffix(level, own))
			if isPart && besideImages.MatchString(strings.Replace(level, own, "", 1)) { // such as trainannot
				levels[i] = strings.Replace(level, own, refer(j), 1)
				break
			}
		}
	}
	return place{strings.Join(levels, "/"), at.end}
}

// candidates returns the places, the best first.
func (f *finder) candidates() []place {
	n, most := min(len(f.rows), sampledRows), len(f.counts)+mostPlaces
	for i := range n {
		row := f.rows[i*len(f.rows)/n]
		for _, at := range f.places[row.name] {
			if at = f.follow(row, at); at.references() == 0 || f.counts[at] > 0 || len(f.counts) == most {
				continue
			}
			f.counts[at] = len(f.take(at, nil).files)
		}
	}
	list := slices.SortedFunc(maps.Keys(f.counts), func(a, b place) int {
		return cmp.Or(b.references()-a.references(), f.counts[b]-f.counts[a], strings.Compare(a.dir+a.end, b.dir+b.end))
	})
	list = list[:min(len(list), 2*mostPlaces)]
	slices.SortStableFunc(list, func(a, b place) int {
		return cmp.Or(f.lacksMost(a)-f.lacksMost(b), b.references()-a.references(), f.isBeside(a)-f.isBeside(b),
			f.isCalled(b)-f.isCalled(a), f.counts[b]-f.counts[a], f.distance(a)-f.distance(b))
	})
	return list
}

// lacksMost returns 1 if most of the rows that have a file have none at a place.
func (f *finder) lacksMost(at place) int {
	if 2*f.counts[at] > f.having {
		return 0
	}
	return 1
}

// isBeside returns 1 for a place below a directory that besideImages matches, such as one of masks, unless such files
// are requested.
func (f *finder) isBeside(at place) int {
	own, _ := f.apart(at)
	if slices.ContainsFunc(own, isBesideImages) != f.beside {
		return 1
	}
	return 0
}

// isCalled returns 1 for a place whose directory has a name in the name of the column.
func (f *finder) isCalled(at place) int {
	if f.column != "" && strings.Contains(strings.ToLower(f.column), strings.ToLower(base(at.dir))) {
		return 1
	}
	return 0
}

// apart returns the levels of a place that the rows are not in, and the number of levels between these and the rows.
func (f *finder) apart(at place) (levels []string, up int) {
	levels = levelsOf(path.Join(at.dir, "file"))
	first, common := levelsOf(f.rows[0].path), 0
	for common < min(len(levels), len(f.varying)) {
		if level := levels[common]; level != refer(common) && (f.varying[common] || level != first[common]) {
			break
		}
		common++
	}
	return levels[common:], len(f.varying) - common
}

// distance returns how far a place is from the rows. The number of levels up counts before the number of levels down.
func (f *finder) distance(at place) int {
	const each = 100
	levels, up := f.apart(at)
	return each*up + len(levels)
}

// choose returns the best place; ok is false without one. Places that have files of the same rows and are as close are
// its rivals. So are places with files of rows that have none at the best place.
func (f *finder) choose() (best place, rivals []place, ok bool) {
	all := f.candidates()
	if len(all) == 0 {
		return best, nil, false
	}
	best = all[0]
	for _, other := range all[1:] {
		both := func(row namedRow) bool { return f.has(row, best) && f.has(row, other) }
		if other.dir != best.dir && other.references() == best.references() && f.isBeside(other) <= f.isBeside(best) &&
			f.isCalled(other) >= f.isCalled(best) &&
			f.distance(other) <= f.distance(best) && slices.ContainsFunc(f.rows, both) {
			rivals = append(rivals, other)
		}
	}
	for _, row := range f.rows {
		if f.names[row.name] > 1 || f.has(row, best) {
			continue
		}
		for _, other := range f.places[row.name] {
			if f.isBeside(other) <= f.isBeside(best) && !slices.Contains(rivals, other) {
				rivals = append(rivals, other)
			}
		}
	}
	return best, rivals, true
}

// takeAll returns the files at each place that has some, which are in no place before it.
func (f *finder) takeAll() (list []*companion) {
	taken := map[string]bool{}
	for _, at := range f.candidates() {
		if len(taken) == len(f.exists) {
			break
		}
		c := f.take(at, taken)
		if len(c.files) > 0 {
			list = append(list, c)
		}
		for _, file := range c.files {
			taken[file] = true
		}
	}
	return list
}

// take returns the files at a place, other than those that were taken before.
func (f *finder) take(at place, before map[string]bool) *companion {
	c := &companion{root: f.root, place: at, key: "name", keyEnd: f.end}
	if end, isStem := strings.CutPrefix(at.end, f.end); isStem {
		c.place.end, c.key, c.keyEnd = end, "stem", ""
	}
	taken := map[string]namedRow{}
	for _, row := range f.rows {
		file := at.file(row)
		if !f.has(row, at) || before[file] {
			c.lacking++
			continue
		}
		if other, is := taken[file]; is {
			c.shared = []string{other.path, row.path}
		} else {
			c.files = append(c.files, file)
		}
		taken[file] = row
		c.rows = append(c.rows, row.path)
	}
	return c
}
