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

// A Zone converts local times to UTC. It is immutable.
type Zone struct {
	name    string
	begins  []int64 // start of each offset, in seconds of UTC
	offsets []int64 // seconds that local time is ahead of UTC
	end     int64   // local time from which changes repeat those 400 years before; 0 if changes end
	index   []int   // index of the offset at the start of each bucket, counted from the first change
}

// bucketBits is the binary logarithm of the seconds per bucket of the index, which is a little more
// than a year.
const bucketBits = 25

// Release returns the release of the time zone database, such as 2026f.
func Release() string {
	first, _, _ := strings.Cut(database, "\n")
	return strings.TrimPrefix(first, "tzdata ")
}

// Zones returns the names of all zones in ascending order.
func Zones() []string {
	var names []string
	for name := range eachEntry {
		names = append(names, name)
	}
	return names
}

// eachEntry calls visit with the name of each zone, and with the offset and size of its file.
func eachEntry(visit func(name, where string) bool) {
	_, rest, _ := strings.Cut(database, "\n")
	for line := range strings.Lines(rest) {
		name, where, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !found || !visit(name, where) {
			return
		}
	}
}

// FindZone returns the zone with a name. For UTC it returns nil without an error.
func FindZone(name string) (*Zone, error) {
	if name == "UTC" {
		return nil, nil
	}
	for n, where := range eachEntry {
		if n == name {
			return newZone(name, zoneFile(where))
		}
	}
	return nil, fmt.Errorf("no zone %q in tzdata %s", name, Release())
}

// zoneFile returns the TZif file with this offset and size.
func zoneFile(where string) string {
	begin := strings.Index(database, "\n\n") + 2
	at, size, _ := strings.Cut(where, " ")
	i, _ := strconv.Atoi(at)
	n, _ := strconv.Atoi(size)
	return database[begin+i : begin+i+n]
}

// maxOffset is more than any offset from UTC, in seconds.
const maxOffset = 26 * 60 * 60

// cycle is 400 years in seconds. The calendar repeats after it, with its weekdays.
const cycle = 146097 * secondsOfDay

// cycleYear is the year after which changes repeat. Files list changes up to 2037, so in the 400
// years before it every zone follows its rule.
const cycleYear = 2500

// newZone returns the zone of a TZif file.
func newZone(name, tzif string) (*Zone, error) {
	location, err := time.LoadLocationFromTZData(name, []byte(tzif))
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	z := &Zone{name: name}
	z.addOffsets(location)
	z.index = newIndex(z.begins)
	return z, nil
}

// addOffsets adds the offsets of a location, in the order of their start.
func (z *Zone) addOffsets(location *time.Location) {
	const ever = -1 << 60 // before any time of a date
	t := time.Unix(ever, 0).In(location)
	z.addOffset(ever, t)
	for {
		_, end := t.ZoneBounds()
		if end.IsZero() {
			return
		}
		if !end.After(t) { // Go ends the zone a day early in a leap year
			end = t.Add(24 * time.Hour)
		}
		if end.Year() >= cycleYear {
			z.end = time.Date(cycleYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
			return
		}
		t = end
		z.addOffset(t.Unix(), t)
	}
}

// addOffset adds the offset at a time, which starts at begin.
func (z *Zone) addOffset(begin int64, t time.Time) {
	_, offset := t.Zone()
	if n := len(z.offsets); n == 0 || z.offsets[n-1] != int64(offset) {
		z.begins, z.offsets = append(z.begins, begin), append(z.offsets, int64(offset))
	}
}

// newIndex returns the index of the offset at the start of each bucket. The first bucket starts at
// the first change.
func newIndex(begins []int64) (index []int) {
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
		at += 1 << bucketBits
	}
	return index
}

// offsetAt returns the index of the offset at a time in UTC.
func (z *Zone) offsetAt(seconds int64) int {
	if len(z.begins) == 1 || seconds < z.begins[1] {
		return 0
	}
	i := z.index[min(int((seconds-z.begins[1])>>bucketBits), len(z.index)-1)]
	for i+1 < len(z.begins) && z.begins[i+1] <= seconds {
		i++
	}
	return i
}

// toUTC converts a local time to UTC. If the local time occurs twice, the result is the first one.
// ok is false if the local time does not exist.
func (z *Zone) toUTC(local int64) (seconds int64, ok bool) {
	repeated := int64(0)
	if z.end != 0 && local >= z.end {
		repeated = ((local-z.end)/cycle + 1) * cycle
		local -= repeated
	}
	for i := z.offsetAt(local - maxOffset); i < len(z.begins) && z.begins[i] <= local+maxOffset; i++ {
		seconds = local - z.offsets[i]
		if seconds >= z.begins[i] && (i+1 == len(z.begins) || seconds < z.begins[i+1]) {
			return seconds + repeated, true
		}
	}
	return 0, false
}
