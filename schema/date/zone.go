package date

import (
	_ "embed" // the zones
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed zones.tzif
var database string

// A Zone tells which time of UTC the clocks of a place show. It does not change.
type Zone struct {
	name    string
	begins  []int64 // when each offset begins, in seconds of UTC
	offsets []int64 // seconds that clocks are ahead of UTC
	end     int64   // from here on what was 400 years before repeats; 0 where nothing does
	index   []int   // the offset at the beginning of each stretch after the first change
}

// stretch is how many seconds, as a power of two, a stretch of the index has: a year
// and a bit.
const stretch = 25

// Release is the one of the database that the zones are from, such as 2026f.
func Release() string {
	first, _, _ := strings.Cut(database, "\n")
	return strings.TrimPrefix(first, "tzdata ")
}

// Zones are the names of all zones, ascending.
func Zones() []string {
	var names []string
	for name := range entries {
		names = append(names, name)
	}
	return names
}

// entries calls visit for each zone with its name, and with where its file is among the
// files.
func entries(visit func(name, where string) bool) {
	_, rest, _ := strings.Cut(database, "\n")
	for line := range strings.Lines(rest) {
		name, where, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !found || !visit(name, where) {
			return
		}
	}
}

// FindZone returns the zone of a name; nil, and no error, for UTC.
func FindZone(name string) (*Zone, error) {
	if name == "UTC" {
		return nil, nil
	}
	for n, where := range entries {
		if n == name {
			return newZone(name, file(where))
		}
	}
	return nil, fmt.Errorf("no zone %q in tzdata %s", name, Release())
}

// file is the TZif file at a place of the database, which is sound.
func file(where string) string {
	begin := strings.Index(database, "\n\n") + 2
	at, size, _ := strings.Cut(where, " ")
	i, _ := strconv.Atoi(at)
	n, _ := strconv.Atoi(size)
	return database[begin+i : begin+i+n]
}

// reach is more than any offset from UTC.
const reach = 26 * 60 * 60

// cycle is 400 years in seconds: the calendar repeats, its weekdays too.
const cycle = 146097 * secondsOfDay

// newZone is the zone of a TZif file.
func newZone(name, tzif string) (*Zone, error) {
	z := &Zone{name: name}
	last, footer, err := z.read(tzif)
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	r, err := parseRule(footer)
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	if r.changes {
		z.follow(r, last)
	}
	z.indexAll()
	return z, nil
}

// add adds an offset from a time on.
func (z *Zone) add(begin, offset int64) {
	if n := len(z.offsets); n > 0 && z.offsets[n-1] == offset {
		return
	}
	z.begins, z.offsets = append(z.begins, begin), append(z.offsets, offset)
}

// follow adds what a rule changes after the last change of the file, for as long as
// it takes until it repeats.
func (z *Zone) follow(r rule, last int64) {
	from := 1
	if last != ever {
		from = yearOf(last)
	}
	const years = 400 + 3 // the first one may be there already, and the last one lacks its end
	for y := from; y < from+years; y++ {
		begin, end := r.of(y)
		changes := []struct{ at, offset int64 }{{begin, r.summer}, {end, r.standard}}
		if end < begin {
			slices.Reverse(changes)
		}
		for _, change := range changes {
			if change.at > last {
				z.add(change.at, change.offset)
			}
		}
	}
	z.end = int64(daysBefore(from+years-1)) * secondsOfDay
}

// indexAll notes which offset each stretch begins with.
func (z *Zone) indexAll() {
	if len(z.begins) == 1 {
		return
	}
	at := z.begins[1]
	for i := 1; i < len(z.begins); {
		if i+1 < len(z.begins) && z.begins[i+1] <= at {
			i++
			continue
		}
		z.index = append(z.index, i)
		if i+1 == len(z.begins) {
			return
		}
		at += 1 << stretch
	}
}

// at is the offset that holds at a time.
func (z *Zone) at(seconds int64) int {
	if len(z.begins) == 1 || seconds < z.begins[1] {
		return 0
	}
	i := z.index[min(int((seconds-z.begins[1])>>stretch), len(z.index)-1)]
	for i+1 < len(z.begins) && z.begins[i+1] <= seconds {
		i++
	}
	return i
}

// utc returns the time that clocks show as local, the first where they show it twice.
// It is not ok where they skip it.
func (z *Zone) utc(local int64) (seconds int64, ok bool) {
	repeated := int64(0)
	if z.end != 0 && local >= z.end {
		repeated = ((local-z.end)/cycle + 1) * cycle
		local -= repeated
	}
	for i := z.at(local - reach); i < len(z.begins) && z.begins[i] <= local+reach; i++ {
		seconds = local - z.offsets[i]
		if seconds >= z.begins[i] && (i+1 == len(z.begins) || seconds < z.begins[i+1]) {
			return seconds + repeated, true
		}
	}
	return 0, false
}
