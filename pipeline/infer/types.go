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

// typed returns the spec of a type.
func typed(name string) spec { return spec{"type: " + name} }

// scalarType returns the type of single values, and a note. It is the first of these that keeps all values.
func (c *chooser) scalarType(p *profile, at *location) (s spec, note string) {
	x, n := &p.texts, &p.numbers
	switch {
	case at.isClass:
		s, _ = c.classes(&x.counter, x.count)
		counts := slices.Sorted(maps.Values(x.counts))
		return s, plural.Of(len(counts), "class") + " of " + numbered(counts[0], counts[len(counts)-1], "file")
	case c.names[at.path] != "":
		return typed("string"), "names the " + c.names[at.path]
	case at.known.Type != "" && x.count == 0:
		return c.knownType(p, at)
	case p.binary+p.images.looked > 0:
		return typed("bytes"), p.describeBytes()
	case p.bools > 0:
		return typed("bool"), "true and false"
	case x.count > 0 && n.total() > 0:
		note = plural.Of(x.count, "string") + ", and " + plural.Of(n.total(), "number")
		return typed("string"), joinNotes(note, p.oddNote(false, at))
	case n.total() > 0:
		return p.numberType()
	}
	return c.stringType(p, at)
}

// numberType returns the type of count numbers, and a note. Numbers whose digits count are names.
func (n *numbers) numberType(count int) (s spec, note string) {
	switch wholes := n.count - n.fractions; {
	case n.plus > 0 && n.plus == n.count:
		note = "all with a plus"
	case n.ints == count:
		return typed("int64"), n.span()
	case n.zeros > 0:
		note = plural.Of(n.zeros, "number") + " with leading zeros, so these are names"
	case n.areWhole():
		return spec{"type: int64", "int_from_float: true"},
			n.span() + ", all whole; float32 would change " + plural.Of(n.wide.count, "number")
	case n.beyond > 0:
		note = plural.Of(n.beyond, "number") + " that no float holds"
	case n.wide.count > 0 && 2*n.wide.count >= wholes && 2*wholes >= n.count:
		note = fmt.Sprintf("%s of more than %d digits, which a float would change, the first: %s",
			plural.Of(n.wide.count, "whole number"), floatDigits, &n.wide.first)
	case n.exponents > 0 && n.fractions == 0 && (n.ints > 0 || !strings.ContainsAny(n.firstOther.text, ".+")):
		if n.ints > 0 {
			note = plural.Of(n.ints, "integer")
		}
	default:
		return n.floatType()
	}
	if others := n.exponents + n.fractions; others > 0 && n.firstOther.where != "" {
		note = joinNotes(note, fmt.Sprintf("%d with a point or an exponent, the first: %s", others, &n.firstOther))
	}
	return typed("string"), note
}

// floatType returns the type of numbers that a float32 stores, and a note.
func (n *numbers) floatType() (s spec, note string) {
	s, note = typed("float"), n.span()
	if n.nonfinite > 0 {
		s.add("nonfinite", "allow")
		if note += ", and "; n.count == 0 {
			note = ""
		}
		note += plural.Of(n.nonfinite, "value") + " such as nan or inf"
	}
	return s, note + n.changed.lossNote()
}

// stringType returns the type of strings, and a note. Only cells, which have no type, can be numbers or lists.
func (c *chooser) stringType(p *profile, at *location) (s spec, note string) {
	x, some, reads := &p.texts, p.present() < at.of, ""
	isCell := at.isCell || c.typ.Rows == input.Contents && at.key == at.path
	if isCell {
		switch {
		case x.numbers.zeros > 0 && x.numbers.integers() == x.count && x.isClasses():
			s, note = c.classes(&x.counter, x.count)
			return s, note + ", some with leading zeros"
		case x.numbers.count+x.numbers.nonfinite == x.count && x.numbers.count > 0:
			if x.mayBeThousands() && c.hasDecimalCommas() {
				return seemNumbers(x.marks.styles[points].example, readPoints(some))
			}
			return p.numberType()
		}
	}
	if (isCell || c.typ.Repeated) && x.bools == x.count {
		return typed("bool"), "true and false"
	}
	if !at.areElements && !c.isComplete(at) {
		name := strings.ReplaceAll(strings.TrimPrefix(at.path, "@"), ".", "_") + "_number"
		for c.isColumn(name) {
			name += "_"
		}
		reads = x.readNumbers(at.path, name, isCell, some)
	}
	marked := func(x *texts) (spec, string) { return markedType(x, some) }
	ways := []func(*texts) (spec, string){base64Type, dateType, c.typeOfJSON, marked, c.listType, answerType}
	switch {
	case c.isComplete(at):
		ways = nil
	case !isCell:
		ways = ways[:2]
	}
	for _, way := range ways {
		if s, note := way(x); note != "" {
			return s, note
		}
	}
	s, note = typed("string"), x.describe()
	if x.isClasses() && !c.isComplete(at) {
		s, note = c.classes(&x.counter, x.count)
	}
	return s, joinNotes(note, cmp.Or(reads, p.oddNote(isCell, at)))
}

// numberType returns the type of numbers, or of strings that are numbers, and a note.
func (p *profile) numberType() (s spec, note string) {
	x, n := &p.texts, &p.numbers
	if x.count > 0 {
		n = &x.numbers
	}
	s, note = n.numberType(n.total())
	if s[0] == "type: float" {
		values, kept := map[float64]bool{}, map[float32]bool{}
		for _, text := range x.order {
			value, _ := strconv.ParseFloat(text, 64)
			values[value], kept[float32(value)] = true, true
		}
		different := len(values)
		if x.count > 0 {
			different = len(x.order)
		}
		switch {
		case 2*len(kept) < different, len(kept) < different && n.paddedNote() != "":
			return typed("string"), fmt.Sprintf("%d different values, which would become %s as float32", different,
				plural.Of(len(kept), "number"))
		case len(kept) < different:
			note += fmt.Sprintf("; %d different values become %s", different, plural.Of(len(kept), "number"))
		}
	}
	if x.count == 0 {
		return s, note
	}
	if x.mayBeThousands() && n.ints > 0 {
		note += "; if points are between thousands: " + readPoints(p.lacking() > 0)
	}
	return s, note + n.paddedNote() + x.sentinelNote()
}

// nines matches numbers that tables have in place of a missing one.
var nines = regexp.MustCompile(`^-?9+\.?9+(\.0+)?$`)

// sentinelNote says that a number of nines may mean missing: several rows have it, and it is farther from the other
// numbers than these are from each other, or alone below 0. It is empty for other columns.
func (x *texts) sentinelNote() string {
	for _, text := range x.order {
		n := x.counts[text]
		if n < 2 || len(x.order) < 4 || !nines.MatchString(text) {
			continue
		}
		v, _ := strconv.ParseFloat(text, 64)
		low, high := math.Inf(1), math.Inf(-1)
		for _, other := range x.order {
			if w, _ := strconv.ParseFloat(other, 64); w != v {
				low, high = min(low, w), max(high, w)
			}
		}
		if max(low-v, v-high) > high-low || v < 0 && low >= 0 {
			return fmt.Sprintf("; if %s in %s means missing: null_values: %s, missing: omit", text, plural.Of(n, "row"),
				x.nullsWith(text))
		}
	}
	return ""
}

// base64Type returns the type of images in base64, and a note, which is empty if the strings are not images.
func base64Type(x *texts) (spec, string) {
	if x.count == 0 || x.base64 < x.count {
		return nil, ""
	}
	return spec{"type: bytes", "encoding: base64"}, "images in base64"
}

// mostNamed is the largest number of class names from a file that a config lists.
const mostNamed = 1000

// knownType returns the type that the header of the files says, and a note.
func (c *chooser) knownType(p *profile, at *location) (s spec, note string) {
	n, k := &p.numbers, at.known.Type
	if len(at.names) > 0 && n.low <= n.high {
		if len(at.names) <= mostNamed && n.low >= -1 && n.high < float64(len(at.names)) {
			return at.namedClasses(n.low < 0)
		}
		note = fmt.Sprintf("; the file has %s for the numbers %s", plural.Of(len(at.names), "class name"), n.span())
	}
	if k == "uint64" {
		n.beyond = n.total() - n.ints
	}
	switch s, note = typed(k), "as the file says"+note; {
	case k == "float64":
		s, note = p.numberType()
		return s, "float64 in the file; " + note
	case k == "uint8" && len(at.known.Shape) > 1:
		s.add("raw", "true")
		return s, "a byte a pixel, for tf.io.decode_raw"
	case k == "float16" || n.beyond > 0 && k != "string":
		s.add("tensor", "true")
		if n.beyond > 0 {
			note = "only a tensor holds " + plural.Of(n.beyond, "number") + " above 2^63-1"
		}
		return s, note
	case n.total() > 0 && k == "string":
		note = "decimals with all their digits; {type: float} keeps 7"
	}
	if n.nonfinite > 0 {
		s.add("nonfinite", "allow")
		note += ", " + plural.Of(n.nonfinite, "value") + " such as nan or inf"
	}
	return s, note
}

// namedClasses returns the class names in the file, and a note; -1 is a row without a class.
func (c *columnSummary) namedClasses(unknown bool) (s spec, note string) {
	text := "{names: " + list(c.names) + ", numbers: true"
	note = plural.Of(len(c.names), "class name") + " in the file"
	if unknown {
		text += ", unknown: -1"
		note += "; -1 is a row without a class"
	}
	return spec{"classes: " + text + "}"}, note
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
	different := plural.Of(len(x.order), "different string")
	if x.overflowed {
		different = "more than " + different
	}
	note := fmt.Sprintf("%s, the longest has %s", different, plural.Of(x.longest, "byte"))
	switch first := x.firstOdd.text; {
	case strings.HasPrefix(first, "['"):
		note += `; lists of Python, it seems: encoding: json reads lists such as ["a", "b"]`
	case strings.HasPrefix(first, "/") && isImageName(first):
		note += fmt.Sprintf("; names of images, it seems: load needs a part of each, such as substr(NAME, 1) or "+
			"split(NAME, '/')[%d]", strings.Count(first, "/"))
	}
	if x.haveBothMarks() {
		note += "; numbers with a point and others with a comma, it seems: no key reads both"
	}
	if _, unsure := x.dates.format(x.count); unsure {
		note += "; dates, it seems, and none says whether the month or the day comes first"
	}
	return note
}

// areReadable reports whether the strings are numbers or dates, which a word is not.
func (x *texts) areReadable() bool {
	_, dates := dateType(x)
	_, marks := markedType(x, false)
	return x.count > 0 && (x.numbers.count == x.count || dates+marks+x.readNumbers("", "", true, false) != "")
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
func (p *profile) oddNote(areCells bool, at *location) string {
	x, n, ways := &p.texts, &p.texts.numbers, []way(nil)
	if p.numbers.count > 0 {
		n = &p.numbers
	}
	if n.zeros == 0 && (areCells || p.numbers.count > 0) { // those with leading zeros are names
		if s, _ := n.numberType(n.count); s[0] != "type: string" {
			ways = append(ways, way{s, n.count, &x.firstOdd})
			if best := x.marks.nearest(); areCells && x.marks.united == 0 {
				ways = append(ways, way{x.marks.keys(best), n.ints + x.marks.styles[best].fits, x.marks.odd(best)})
			}
		}
	}
	if f := x.dates.nearest(); f != nil {
		ways = append(ways, way{f.keys(), f.count, &f.odd})
	}
	count := x.count + p.numbers.total()
	for _, w := range ways {
		odd := count - w.fits
		if odd*mostOdd > count || w.first.where == "" || x.marks.negated.count > 0 {
			continue
		}
		note := fmt.Sprintf("%d of %d differ, the first: %s", odd, count, w.first)
		if at.areElements {
			return note
		}
		note += "; "
		if text := w.first.text; x.counts[text] == odd && !strings.ContainsAny(text, "0123456789") {
			read := ""
			if areCells {
				w.add("null_values", x.nullsWith(text))
			} else {
				of, name := input.Operand(at.path), scalar(strings.ReplaceAll(at.path, ".", "_")+"_value")
				value := of
				if p.numbers.count > 0 {
					of = "text(" + of + ")"
					value = strings.TrimSuffix(strings.TrimPrefix(w.spec[0], "type: "), "64") + "(" + of + ")"
				}
				value = fmt.Sprintf("%s == %q ? null : %s", of, text, value)
				read = "derive: {" + name + ": '" + strings.ReplaceAll(value, "'", "''") + "'}, and " + name + ": "
			}
			w.add("missing", "omit")
			return note + "if it means missing: " + read + w.braced()
		}
		if p.present() < at.of {
			w.add("missing", "omit")
		}
		return note + "without these rows: " + w.braced() + ", on_error: quarantine, and " + maxErrors(100*odd/count)
	}
	return ""
}
