package date

import (
	_ "embed" // the zones
	"fmt"
	"strconv"
	"strings"
	"time"
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

// Release returns the release of the database that the zones are from, such as 2026f.
func Release() string {
	first, _, _ := strings.Cut(database, "\n")
	return strings.TrimPrefix(first, "tzdata ")
}

// Zones returns the names of all zones, ascending.
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

// file returns the TZif file at a place of the database.
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

// repeating is a year with a whole cycle before it in which every zone follows its rule:
// files list changes up to 2037.
const repeating = 2500

// newZone returns the zone of a TZif file.
func newZone(name, tzif string) (*Zone, error) {
	location, err := time.LoadLocationFromTZData(name, []byte(tzif))
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	z := &Zone{name: name}
	z.fill(location)
	z.index = indexOf(z.begins)
	return z, nil
}

// fill adds the offsets of a location, in the order in which they begin.
func (z *Zone) fill(location *time.Location) {
	const ever = -1 << 60 // before any time that a text may name
	t := time.Unix(ever, 0).In(location)
	z.add(ever, t)
	for {
		_, end := t.ZoneBounds()
		if end.IsZero() {
			return
		}
		if !end.After(t) { // Go's end of a leap year is a day early
			end = t.Add(24 * time.Hour)
		}
		if end.Year() >= repeating {
			z.end = time.Date(repeating, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
			return
		}
		t = end
		z.add(t.Unix(), t)
	}
}

// add adds the offset of a time from begin on.
func (z *Zone) add(begin int64, t time.Time) {
	_, offset := t.Zone()
	if n := len(z.offsets); n == 0 || z.offsets[n-1] != int64(offset) {
		z.begins, z.offsets = append(z.begins, begin), append(z.offsets, int64(offset))
	}
}

// indexOf returns the index of the offset with which each stretch after the first change
// begins.
func indexOf(begins []int64) (index []int) {
	if len(begins) == 1 {
		return nil
	}
	at := begins[1]
	for i := 1; i < len(begins); {
		if i+1 < len(begins) && begins[i+1] <= at {
			i++
			continue
		}
		index = append(index, i)
		if i+1 == len(begins) {
			break
		}
		at += 1 << stretch
	}
	return index
}

// at returns the index of the offset that holds at a time.
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
