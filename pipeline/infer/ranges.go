package infer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A run is a sequence of features whose names end with consecutive numbers: p0, p1, p2.
type run struct {
	from  int // index of the first one
	begin string
	first int
	count int
}

// leastRun is the smallest number of columns that become one feature.
const leastRun = 8

// counted matches a name that ends with a number without leading zeros.
var counted = regexp.MustCompile(`^(.*?[^0-9])(0|[1-9][0-9]{0,5})$`)

// ranges replaces runs of features by one feature, if all are numbers and each row has all of them.
func ranges(list []feature) (all []feature) {
	for i := 0; i < len(list); {
		r := runOf(list, i)
		if r.count < leastRun {
			all = append(all, list[i])
			i++
			continue
		}
		kind, note := "int64", fmt.Sprintf("%d columns of numbers", r.count)
		isNamed := false
		for _, f := range list[i : i+r.count] {
			if f.number == "float" {
				kind = "float"
			}
			if _, loss, is := strings.Cut(f.note, "; "); is && !isNamed {
				note, isNamed = note+"; see "+shown(f.from)+": "+loss, true
			}
		}
		from := fmt.Sprintf("%s{%d..%d}", r.begin, r.first, r.first+r.count-1)
		key := strings.TrimRight(r.begin, "_-. ")
		all = append(all, feature{key: key, from: from, spec: typed(kind), note: note})
		i += r.count
	}
	return all
}

// runOf returns the run that begins with a feature.
func runOf(list []feature, i int) (r run) {
	r.from = i
	for ; i < len(list); i++ {
		m := counted.FindStringSubmatch(list[i].from)
		if m == nil || list[i].number == "" || strings.ContainsAny(m[1], "{}$") {
			return r
		}
		n, _ := strconv.Atoi(m[2])
		switch {
		case r.count == 0:
			r.begin, r.first = m[1], n
		case m[1] != r.begin || n != r.first+r.count, r.count == 1 && list[i].number != list[i-1].number:
			return r // a number of another type before a run may be its class
		}
		r.count++
	}
	return r
}
