package infer

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// addScalar adds the type of single values to s, and returns a note. It is the first of these that keeps all values.
func (c *chooser) addScalar(s *spec, p *profile, at *location) (note string) {
	x, n := &p.texts, &p.numbers
	switch {
	case at.isClass:
		c.addClasses(s, &x.counter, x.count)
		counts := slices.Sorted(maps.Values(x.counter.counts))
		return plural.Of(len(counts), "class") + " of " + numbered(counts[0], counts[len(counts)-1], "file")
	case c.names[at.path] != "":
		s.add("type", "string")
		return "names the " + c.names[at.path]
	case at.known.Type != "" && x.count == 0:
		return c.addKnown(s, p, at)
	case p.binary+p.images.looked > 0:
		s.add("type", "bytes")
		return p.describeBytes()
	case p.bools > 0:
		s.add("type", "bool")
		return "true and false"
	case x.count > 0 && n.total() > 0:
		s.add("type", "string")
		note = plural.Of(x.count, "string") + ", and " + plural.Of(n.total(), "number")
		return joinNotes(note, p.oddNote(false, at.areElements))
	case n.total() > 0:
		return n.addType(s, n.total())
	}
	return c.addString(s, p, at)
}

// addType adds the type of count numbers to s, and returns a note. Numbers whose digits count are names.
func (n *numbers) addType(s *spec, count int) (note string) {
	switch wholes := n.count - n.fractions; {
	case n.plus > 0 && n.plus == n.count:
		note = "all with a plus"
	case n.ints == count:
		s.add("type", "int64")
		return n.span()
	case n.zeros > 0 && n.integers() == count:
		note = plural.Of(n.zeros, "number") + " with leading zeros, so these are names"
	case n.areWhole():
		s.add("type", "int64")
		s.add("int_from_float", "true")
		return n.span() + ", all whole; float32 would change " + plural.Of(n.wide, "number")
	case n.beyond > 0:
		note = plural.Of(n.beyond, "number") + " that no float holds"
	case n.wide > 0 && 2*n.wide >= wholes && 2*wholes >= n.count:
		note = fmt.Sprintf("%s of more than %d digits, which a float would change, the first: %s",
			plural.Of(n.wide, "whole number"), floatDigits, &n.firstWide)
	case n.exponents > 0 && n.fractions == 0 && (n.ints > 0 || !strings.ContainsAny(n.firstOther.text, ".+")):
		if n.ints > 0 {
			note = plural.Of(n.ints, "integer")
		}
	default:
		return n.addFloat(s)
	}
	if others := n.exponents + n.fractions; others > 0 && n.firstOther.where != "" {
		note = joinNotes(note, fmt.Sprintf("%d with a point or an exponent, the first: %s", others, &n.firstOther))
	}
	s.add("type", "string")
	return note
}

// addFloat adds the type of numbers that a float32 stores, and returns a note.
func (n *numbers) addFloat(s *spec) (note string) {
	s.add("type", "float")
	note = n.span()
	if n.nonfinite > 0 {
		s.add("nonfinite", "allow")
		if note += ", and "; n.count == 0 {
			note = ""
		}
		note += plural.Of(n.nonfinite, "value") + " such as nan or inf"
	}
	return note + n.lossNote()
}

// addString adds the type of strings to s, and returns a note. Only cells, which have no type, can be numbers or lists.
func (c *chooser) addString(s *spec, p *profile, at *location) (note string) {
	x, isCell, reads := &p.texts, at.isCell || c.typ.Rows == input.Contents && at.key == at.path, ""
	if isCell {
		x.numbers.nonfinite = x.nonfinite
		switch {
		case x.numbers.zeros > 0 && x.numbers.integers() == x.count && x.isClasses():
			return c.addClasses(s, &x.counter, x.count) + ", some with leading zeros"
		case x.numbers.count+x.nonfinite == x.count && x.numbers.count > 0:
			if x.mayBeThousands() && c.hasDecimalCommas() {
				s.add("type", "string")
				return "numbers, it seems: " + shown(x.marks.styles[points].example) + "; to read them: " + readPoints
			}
			return x.addNumbers(s)
		case x.bools == x.count:
			s.add("type", "bool")
			return "true and false"
		}
		reads = x.readUnits(at.path, p.present() < at.of)
	}
	ways := []func(*spec, *texts) string{addBase64, addDate, c.addListOfJSON, addMarks, c.addList, addAnswers}
	switch {
	case c.isComplete(at):
		ways = nil
	case !isCell:
		ways = ways[:2]
	}
	for _, add := range ways {
		if note := add(s, x); note != "" {
			return note
		}
	}
	odd := cmp.Or(reads, p.oddNote(isCell, at.areElements))
	if x.isClasses() && !c.isComplete(at) {
		return joinNotes(c.addClasses(s, &x.counter, x.count), odd)
	}
	s.add("type", "string")
	return joinNotes(x.describe(), odd)
}

// addNumbers adds the type of strings that are numbers, and returns a note.
func (x *texts) addNumbers(s *spec) (note string) {
	var t spec
	note = x.numbers.addType(&t, x.count)
	if t.has("type") && t[0] == "type: float" && !x.counter.overflowed {
		kept := map[float32]bool{}
		for _, text := range x.counter.order {
			number, _ := strconv.ParseFloat(text, 32)
			kept[float32(number)] = true
		}
		switch different := len(x.counter.order); {
		case 2*len(kept) < different, len(kept) < different && x.numbers.paddedNote() != "":
			s.add("type", "string")
			return fmt.Sprintf("%d different numbers, which would become %d as float32", different, len(kept))
		case len(kept) < different:
			note += fmt.Sprintf("; %d different strings become %s", different, plural.Of(len(kept), "number"))
		}
	}
	*s = append(*s, t...)
	if x.mayBeThousands() && x.numbers.ints > 0 {
		note += "; if points are between thousands: " + readPoints
	}
	return note + x.numbers.paddedNote() + x.sentinelNote()
}

// nines matches numbers that tables have in place of a missing one.
var nines = regexp.MustCompile(`^-?99+(\.0+)?$`)

// sentinelNote says that a number of nines may mean missing: several rows have it, and it is farther from the other
// numbers than these are from each other, or alone below 0. It is empty for other columns.
func (x *texts) sentinelNote() string {
	for _, v := range []float64{x.numbers.low, x.numbers.high} {
		for _, text := range []string{number(v), number(v) + ".0"} {
			n := x.counter.counts[text]
			if n < 2 || len(x.counter.order) < 4 || !nines.MatchString(text) {
				continue
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, other := range x.counter.order {
				if w, _ := strconv.ParseFloat(other, 64); w != v {
					low, high = min(low, w), max(high, w)
				}
			}
			if max(low-v, v-high) > high-low || v < 0 && low >= 0 {
				return fmt.Sprintf("; if %s in %s means missing: null_values: %s, missing: omit", text, plural.Of(n, "row"),
					list([]string{text}))
			}
		}
	}
	return ""
}

// addBase64 adds the type of images in base64 to s, and returns a note, which is empty if the strings are not images.
func addBase64(s *spec, x *texts) (note string) {
	if x.base64 < x.count {
		return ""
	}
	s.add("type", "bytes")
	s.add("encoding", "base64")
	return "images in base64"
}

// mostNamed is the largest number of class names from a file that a config lists.
const mostNamed = 1000

// addKnown adds the type that the header of the files says.
func (c *chooser) addKnown(s *spec, p *profile, at *location) (note string) {
	n, k := &p.numbers, at.known.Type
	if len(at.names) > 0 && n.low <= n.high {
		if len(at.names) <= mostNamed && n.low >= -1 && n.high < float64(len(at.names)) {
			return at.addNamedClasses(s, n.low < 0)
		}
		note = fmt.Sprintf("; the file has %s for the numbers %s", plural.Of(len(at.names), "class name"), n.span())
	}
	if k == "uint64" {
		n.beyond = n.total() - n.ints
	}
	switch note = "as the file says" + note; {
	case k == "float64" && n.areWhole():
		return "float64 in the file; " + n.addType(s, n.count)
	case k == "float64":
		return "float64 in the file; " + n.addFloat(s)
	case k == "uint8" && len(at.known.Shape) > 1:
		s.add("type", k)
		s.add("raw", "true")
		return "a byte a pixel, for tf.io.decode_raw"
	case k == "float16" || n.beyond > 0 && k != "string":
		s.add("type", k)
		s.add("tensor", "true")
		if n.beyond > 0 {
			note = "only a tensor holds " + plural.Of(n.beyond, "number") + " above 2^63-1"
		}
		return note
	default:
		s.add("type", k)
	}
	if n.total() > 0 && k == "string" {
		note = "decimals with all their digits; {type: float} keeps 7"
	}
	if n.nonfinite > 0 {
		s.add("nonfinite", "allow")
		note += ", " + plural.Of(n.nonfinite, "value") + " such as nan or inf"
	}
	return note
}

// addNamedClasses adds the class names in the file; -1 is a row without a class.
func (c *columnSummary) addNamedClasses(s *spec, unknown bool) (note string) {
	text := "{names: " + list(c.names) + ", numbers: true"
	note = plural.Of(len(c.names), "class name") + " in the file"
	if unknown {
		text += ", unknown: -1"
		note += "; -1 is a row without a class"
	}
	s.add("classes", text+"}")
	return note
}

// describeBytes returns a note about bytes.
func (p *profile) describeBytes() string {
	switch {
	case p.images.looked == 0:
		return "the longest has " + plural.Of(p.texts.longest, "byte")
	case p.binary+p.texts.count > 0:
		return plural.Of(p.images.looked, "image") + ", and " + plural.Of(p.binary+p.texts.count, "other value")
	}
	return countList(p.images.formats) + ", " + sizes(p.images.low, p.images.high)
}

// describe returns a note about the strings.
func (x *texts) describe() string {
	different := plural.Of(len(x.counter.order), "different string")
	if x.counter.overflowed {
		different = "more than " + different
	}
	note := fmt.Sprintf("%s, the longest has %s", different, plural.Of(x.longest, "byte"))
	if strings.HasPrefix(x.firstOdd.text, "['") {
		note += `; lists of Python, it seems: encoding: json reads lists such as ["a", "b"]`
	}
	if _, unsure := x.dates.format(x.count); unsure {
		note += "; dates, it seems, and none says whether the month or the day comes first"
	}
	return note
}

// areReadable reports whether the strings are numbers or dates, which a word is not.
func (x *texts) areReadable() bool {
	return x.count > 0 && (x.numbers.count == x.count || x.isDated() || x.readUnits("", false) != "" ||
		addMarks(new(spec), x) != "")
}

// mostOdd is the share of values, one in so many, that may differ from all others for a note.
const mostOdd = 3

// A way is the keys that read some of the values, and the first that they do not read.
type way struct {
	spec
	fits  int
	first *sighting
}

// oddNote says which few values are not numbers or dates as the others are, and how to read these. Only the strings of
// cells can be numbers. It is empty if all are alike, or many differ. The elements of a list have no keys that read
// only some of them.
func (p *profile) oddNote(areCells, areElements bool) string {
	x, n, ways := &p.texts, &p.texts.numbers, []way(nil)
	if p.numbers.count > 0 {
		n = &p.numbers
	}
	if n.zeros == 0 && (areCells || p.numbers.count > 0) { // those with leading zeros are names
		kind := "type: float"
		if n.ints == n.count {
			kind = "type: int64"
		}
		ways = append(ways, way{spec{kind}, n.count, &x.firstOdd})
		if best := x.marks.nearest(); areCells && x.marks.united == 0 {
			ways = append(ways, way{x.marks.keys(best), n.ints + x.marks.styles[best].fits, x.marks.odd(best)})
		}
	}
	if f := x.dates.nearest(); f != nil {
		ways = append(ways, way{f.keys(), f.count, &f.odd})
	}
	count := x.count + p.numbers.total()
	for _, w := range ways {
		odd := count - w.fits
		if w.fits == 0 || odd == 0 || odd*mostOdd > count || w.first.where == "" {
			continue
		}
		note := fmt.Sprintf("%d of %d differ, the first: %s", odd, count, w.first)
		if areElements {
			return note
		}
		note += "; "
		if text := w.first.text; x.counter.counts[text] == odd && !strings.ContainsAny(text, "0123456789") {
			w.add("null_values", list([]string{text}))
			w.add("missing", "omit")
			return note + "if it means missing: " + w.braced()
		}
		return note + "without these rows: " + w.braced() + " and on_error: quarantine"
	}
	return ""
}
