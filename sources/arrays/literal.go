package arrays

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A dict is the header of a .npy file.
type dict struct {
	descr   string
	fields  bool // descr is a list of fields
	fortran bool
	shape   []int64
}

// maxAxes is the maximum number of axes of an array, as in NumPy.
const maxAxes = 64

const space = " \t\n"

// dictEntry matches a key and its value: a string without escapes, a bool, a tuple of lengths, or
// the begin of a list. Python 2 writes an L after a length.
var dictEntry = regexp.MustCompile(strings.ReplaceAll(
	`^_['"](\w*)['"]_:_`+
		`(?:['"]([^'"\\\n]*)['"]|(True|False)|(\(_(?:(?:\d+L?_,_)+(?:\d+L?_)?)?\))|\[)_`, "_", "["+space+"]*"))

var digits = regexp.MustCompile(`\d+`)

// parseDict parses the dict of a .npy file. It has exactly three keys, in any order, whose values
// have known forms. No other Python syntax is accepted.
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
func parseDict(text string) (d dict, err error) {
	fail := func(format string, args ...any) (dict, error) {
		return d, input.Damaged("ARRAY_HEADER",
			"the header has "+format+"; expected descr, fortran_order and shape, as NumPy writes them", args...)
	}
	rest, open := strings.CutPrefix(strings.TrimLeft(text, space), "{")
	if !open {
		return fail(`no "{" where one should be`)
	}
	var seen []string
	for comma := true; !strings.HasPrefix(strings.TrimLeft(rest, space), "}"); {
		m := dictEntry.FindStringSubmatch(rest)
		if m == nil || !comma {
			return fail("%s where a key with its value or a } should be", schema.Quote(strings.TrimLeft(rest, space)))
		}
		key, descr, truth, tuple := m[1], m[2], m[3], m[4]
		switch {
		case slices.Contains(seen, key):
			return fail("the key %q twice", key)
		case key == "descr" && strings.HasSuffix(m[0], "["):
			d.fields = true
			return d, nil // the fields are not read
		case key == "descr" && truth+tuple == "":
			d.descr = descr
		case key == "fortran_order" && truth != "":
			d.fortran = truth == "True"
		case key == "shape" && tuple != "":
			for _, length := range digits.FindAllString(tuple, -1) {
				n, err := strconv.ParseInt(length, 10, 64)
				if err != nil {
					return d, input.Mismatch("ARRAY_SHAPE",
						"claims an axis whose length has %d digits; expected at most 2^40 rows", len(length))
				}
				d.shape = append(d.shape, n)
			}
		default:
			return fail("the key %q with such a value", key)
		}
		seen = append(seen, key)
		rest, comma = strings.CutPrefix(rest[len(m[0]):], ",")
	}
	switch {
	case len(seen) < 3:
		return fail("only the keys %q", seen)
	case len(d.shape) > maxAxes:
		return fail("more than %d axes", maxAxes)
	case strings.Trim(rest, space) != "}":
		return fail("more text after the dict")
	}
	return d, nil
}
