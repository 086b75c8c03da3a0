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
)

// imageFiles are images with the names of documents, as in the layout of Pascal VOC, which has the
// directories Annotations, JPEGImages, and ImageSets.
type imageFiles struct {
	root    string // absolute directory that has the documents and the images
	place   imagePlace
	lacking int // documents without an image
	of      int // documents
}

// An imagePlace says where the image of a document is, relative to the directory that has both.
type imagePlace struct {
	dir string // levels; \x00 and a number stand for that level of the document's path
	ext string // as the names have it, with the dot
}

// besideImages matches the names of directories whose images are not rows: they belong to other images.
var besideImages = regexp.MustCompile(`(?i)mask|seg|label|annot|depth|thumb|preview|^gt|ground.?truth`)

// sampledDocuments is the number of documents that are compared with all images of their names.
const sampledDocuments = 40

// mostPlaces is the largest number of places that are looked at for each document.
const mostPlaces = 100

// documentImages finds the images of documents.
type documentImages struct {
	documents []string
	byStem    map[string][]string // images that have the name of a document
	exists    map[string]bool     // those images
	varying   []bool              // the levels of directories that differ between documents
	counts    map[imagePlace]int  // number of documents with an image at a place
}

// imagesOf returns the images that have the names of most documents. Images that are in the directories
// of their documents, or in directories with the same names, are chosen before others. It returns nil if no directory has them, or if
// several directories have images of the same names and none is closer: then rivals has two of these.
func imagesOf(dir string, documents, pictures []string) (best *imageFiles, rivals []string) {
	d := &documentImages{documents: documents, byStem: map[string][]string{}, exists: map[string]bool{}, counts: map[imagePlace]int{}}
	times := map[string]int{}
	for _, name := range documents {
		times[stemOf(name)]++
	}
	d.varying = varyingLevels(documents)
	fixed := map[imagePlace]bool{}
	for _, name := range pictures {
		if n := times[stemOf(name)]; n > 0 {
			d.byStem[stemOf(name)] = append(d.byStem[stemOf(name)], name)
			d.exists[name] = true
			place := imagePlace{dir: path.Dir(name), ext: path.Ext(name)}
			d.counts[place] += n
			fixed[place] = true
		}
	}
	for _, places := range [][]imagePlace{d.findPlaces(), slices.Collect(maps.Keys(fixed))} {
		if place, rival, ok := d.choose(places); rival != nil {
			return nil, rival
		} else if ok {
			return &imageFiles{root: dir, place: place, lacking: len(documents) - d.counts[place], of: len(documents)}, nil
		}
	}
	return nil, nil
}

// varyingLevels returns the levels of directories whose names differ between documents.
func varyingLevels(documents []string) []bool {
	first := levelsOf(documents[0])
	depth := len(first)
	varying := make([]bool, depth)
	for _, name := range documents {
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

// findPlaces returns the places that depend on the directories of the documents, and counts the documents
// that have an image there.
func (d *documentImages) findPlaces() (places []imagePlace) {
	found := map[imagePlace]bool{}
	n := min(len(d.documents), sampledDocuments)
	for i := range n {
		document := d.documents[i*len(d.documents)/n]
		for _, name := range d.byStem[stemOf(document)] {
			if p := d.placeOf(document, name); p.references() > 0 && len(found) < mostPlaces {
				found[p] = true
			}
		}
	}
	for p := range found {
		for _, document := range d.documents {
			if d.exists[p.image(document)] {
				d.counts[p]++
			}
		}
		places = append(places, p)
	}
	return places
}

// placeOf returns the place of the image of a document. It refers to the levels of the document's path that vary.
func (d *documentImages) placeOf(document, name string) imagePlace {
	of := levelsOf(document)
	levels := levelsOf(name)
	for i, level := range levels {
		refersTo := func(j int) bool { return j < len(d.varying) && d.varying[j] && of[j] == level }
		j := i
		if !refersTo(j) {
			j = slices.Index(of, level)
		}
		if j >= 0 && refersTo(j) {
			levels[i] = "\x00" + strconv.Itoa(j)
		}
	}
	return imagePlace{dir: strings.Join(levels, "/"), ext: path.Ext(name)}
}

// references returns the number of levels that depend on the document.
func (p imagePlace) references() int { return strings.Count(p.dir, "\x00") }

// reference returns the number of a level of the document's path, if a level of a place refers to one.
func reference(level string) (of int, ok bool) {
	number, ok := strings.CutPrefix(level, "\x00")
	of, _ = strconv.Atoi(number)
	return of, ok
}

// image returns the name of the image of a document at a place.
func (p imagePlace) image(document string) string {
	of := levelsOf(document)
	levels := strings.Split(p.dir, "/")
	for i, level := range levels {
		if j, ok := reference(level); ok {
			levels[i] = of[j]
		}
	}
	return path.Join(path.Join(levels...), stemOf(document)+p.ext)
}

// closeness returns the number of levels that the paths of all documents have in common with a place.
func (d *documentImages) closeness(p imagePlace) int {
	levels := strings.Split(p.dir, "/")
	first := levelsOf(d.documents[0])
	for i, level := range levels {
		j, refers := reference(level)
		switch {
		case i < len(d.varying) && refers && i == j:
		case i < len(d.varying) && !d.varying[i] && level == first[i]:
		default:
			return i
		}
	}
	return len(levels)
}

// choose returns the place where most documents have an image. If another place has images of the same documents, and is
// as close to them, it returns an image of each instead.
func (d *documentImages) choose(places []imagePlace) (best imagePlace, rivals []string, ok bool) {
	isBeside := func(p imagePlace) int {
		if besideImages.MatchString(path.Base(p.dir)) {
			return 1
		}
		return 0
	}
	order := func(a, b imagePlace) int {
		return cmp.Or(b.references()-a.references(), isBeside(a)-isBeside(b), d.closeness(b)-d.closeness(a))
	}
	slices.SortFunc(places, func(a, b imagePlace) int {
		return cmp.Or(order(a, b), d.counts[b]-d.counts[a], strings.Compare(a.dir+a.ext, b.dir+b.ext))
	})
	at := slices.IndexFunc(places, func(p imagePlace) bool { return 2*d.counts[p] > len(d.documents) })
	if at < 0 {
		return best, nil, false
	}
	best = places[at]
	for _, p := range places {
		if p.dir == best.dir || order(p, best) != 0 {
			continue
		}
		for _, document := range d.documents {
			if one, other := best.image(document), p.image(document); d.exists[one] && d.exists[other] {
				return best, []string{one, other}, false
			}
		}
	}
	return best, nil, true
}

// followsDocuments reports whether the images are in different directories for different documents.
func (i *imageFiles) followsDocuments() bool { return i.place.references() > 0 }

// below returns the directories of dir below the root. dir may be empty, for the root.
func (i *imageFiles) below(dir string) []string {
	rest, below := strings.CutPrefix(dir, i.root+"/")
	if !below {
		return nil
	}
	return strings.Split(rest, "/")
}

// addLevels returns a pattern for paths below dir that names the directories that the images depend on.
func (i *imageFiles) addLevels(pattern, dir string) string {
	begin := len(i.below(dir))
	levels := levelsOf(pattern)
	was := len(levels)
	for level := range strings.SplitSeq(i.place.dir, "/") {
		of, refers := reference(level)
		at := of - begin
		if !refers || at < was {
			continue
		}
		for len(levels) <= at {
			levels = append(levels, "*")
		}
		levels[at] = "{directory}"
		if at > 0 {
			levels[at] = fmt.Sprintf("{directory_%d}", at+1)
		}
	}
	if len(levels) == was {
		return pattern
	}
	return strings.Join(levels, "/") + "/**"
}

// load returns the lines that load the images. A column has their names without the extension, and pattern
// has the columns of the directories below dir.
func (i *imageFiles) load(column, pattern, dir string, relative func(string) string) []line {
	note := "each document has an image of its name"
	if i.lacking > 0 {
		note = fmt.Sprintf("%s of %d have no image of their name, and are invalid rows", plural.Of(i.lacking, "document"), i.of)
	}
	begin, columns := i.below(dir), strings.Split(pattern, "/")
	from, name := i.root, "{"+column+"}"+i.place.ext
	var levels []string
	for level := range strings.SplitSeq(i.place.dir, "/") {
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
	name = strings.Join(append(levels, name), "/")
	return []line{{"load:", ""}, {"  image: {path: " + quoted(name) + ", dir: " + scalar(relative(from)) + "}", note}}
}
