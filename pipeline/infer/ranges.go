package infer

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// leastRun is the smallest number of columns that become one feature, and leastFilled the number of columns of which
// some have no value in some rows.
const leastRun, leastFilled = 8, 100

// counted matches a name with a number without leading zeros: at its end, or before the numbers of a run.
var counted = regexp.MustCompile(`^(.*?[^0-9]|)(0|[1-9][0-9]{0,5})([^0-9{]*\{[0-9.]+\})?$`)

// ranges replaces runs of at least so many features by one feature, if all are numbers, and rows may miss some of them
// if mayMiss is true. In shorter runs, each row must have all numbers.
func ranges(list []feature, least int, mayMiss bool) (all []feature) {
	for len(list) > 0 {
		n := max(1, lengthOfRun(list, mayMiss))
		switch {
		case n >= least:
			all = append(all, rangeOf(list[:n]))
		case mayMiss:
			all = append(all, ranges(list[:n], leastRun, false)...)
		default:
			n, all = 1, append(all, list[0])
		}
		list = list[n:]
	}
	return all
}

// rangeOf returns the feature for a run.
func rangeOf(list []feature) (f feature) {
	t, lacking, why := chosenType{spec: typed("int64"), fill: "nan"}, 0, "" // the longest of their notes
	for _, one := range list {
		if f.columns += one.columns; one.mayMiss() {
			lacking++
		}
		if one.spec[0] == "type: float" || lacking > 0 {
			t.spec = typed("float")
		}
		if _, own, _ := strings.Cut(one.note, "; "); len(own) > len(why) {
			why, t.note = own, "; see "+shown(one.from)+": "+own
		}
	}
	t.note = fmt.Sprintf("%d columns of numbers", f.columns) + t.note
	if lacking > 0 {
		t.fillIn(share(lacking, f.columns, "column") + " have missing values")
		f.columns = 0
	}
	m := counted.FindStringSubmatch(list[0].from)
	first, _ := strconv.Atoi(m[2])
	f.key, f.from = cmp.Or(strings.TrimRight(m[1], "_-. "), "column"),
		fmt.Sprintf("%s{%d..%d}%s", m[1], first, first+len(list)-1, m[3])
	f.spec, f.note = t.spec, t.note
	return f
}

// fewColumns is the number of columns with names of init that each are a feature. A table of more may have vectors.
const fewColumns = 50

// allRanges replaces all runs by features. If init made the names of a table, their numbers say little: the first or
// the last of many columns may be a class.
func allRanges(list []feature, ownNames bool) []feature {
	for i := range list {
		if f := &list[i]; ownNames && len(list) <= fewColumns {
			f.columns = 0
		} else if ownNames && f.mayBeClass && (i == 0 || i == len(list)-1) {
			f.columns = 0
			f.note += "; apart from the other columns, as it may be a class"
		}
	}
	list = ranges(ranges(list, leastFilled, true), leastRun, false)
	for i := range list {
		if f := &list[i]; ownNames && strings.Contains(f.from, "{") {
			f.note += "; if the first or the last is a class or a name, it needs a line of its own, and a range " +
				"without it"
		}
	}
	return list
}

// lengthOfRun returns the number of features in a row whose names have consecutive numbers: p0, p1, p2.
func lengthOfRun(list []feature, mayMiss bool) int {
	var begin, end string
	first := 0
	for i, f := range list {
		m := counted.FindStringSubmatch(f.from)
		if m == nil || f.columns == 0 || f.mayMiss() && !mayMiss || strings.ContainsAny(m[1], "{}$") {
			return i
		}
		n, _ := strconv.Atoi(m[2])
		switch {
		case i == 0:
			begin, first, end = m[1], n, m[3]
		case m[1] != begin || m[3] != end || n != first+i, i == 1 && f.spec[0] != list[0].spec[0]:
			return i // a number of another type before a run may be its class
		}
	}
	return len(list)
}
