package date

// A Unit is what the numbers of dates count.
type Unit uint8

// The units.
const (
	Seconds Unit = iota
	Milliseconds
	Microseconds
	Nanoseconds
	Days // of the calendar, wherever midnight is
)

// units are the units as a config names them, and a sentence.
var units = [...]struct {
	name, what string
	nanos      int // that one has; those of a day are not asked for
}{
	Seconds:      {"s", "second", 1e9},
	Milliseconds: {"ms", "millisecond", 1e6},
	Microseconds: {"us", "microsecond", 1e3},
	Nanoseconds:  {"ns", "nanosecond", 1},
	Days:         {"days", "day", 0},
}

// ParseUnit returns the unit of a name.
func ParseUnit(name string) (Unit, bool) {
	for u := range units {
		if units[u].name == name {
			return Unit(u), true
		}
	}
	return 0, false
}

// String returns the name of a unit: s, ms, us, ns, days.
func (u Unit) String() string { return units[u].name }
