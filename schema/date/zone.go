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
func FindZone(name string) (*time.Location, error) {
	if name == "UTC" {
		return nil, nil
	}
	for n, where := range eachEntry {
		if n == name {
			return time.LoadLocationFromTZData(name, []byte(zoneFile(where)))
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

// maxOffset is more than any offset from UTC, in seconds. Each offset of a zone lasts longer than
// twice this time.
const maxOffset = 26 * 60 * 60

// offsetAt returns the seconds that local time is ahead of UTC at a time.
func offsetAt(zone *time.Location, seconds int64) int64 {
	_, offset := time.Unix(seconds, 0).In(zone).Zone()
	return int64(offset)
}

// toUTC converts a local time to UTC. If the local time occurs twice, the result is the first one.
// ok is false if the local time does not exist.
func toUTC(zone *time.Location, local int64) (seconds int64, ok bool) {
	before := offsetAt(zone, local-maxOffset)
	after := offsetAt(zone, local-before)
	seconds = local - after
	return seconds, after == before || offsetAt(zone, seconds) == after
}
