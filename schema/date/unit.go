package date

// A Unit is the unit of the numbers that dates become.
type Unit uint8

// The units.
const (
	Seconds Unit = iota
	Milliseconds
	Microseconds
	Nanoseconds
	Days // calendar days, in local time
)

// units has the names of the units in a config and in a sentence.
var units = [...]struct {
	name, what string
	nanos      int // nanoseconds of the unit; not used for days
}{
	Seconds:      {"s", "second", 1e9},
	Milliseconds: {"ms", "millisecond", 1e6},
	Microseconds: {"us", "microsecond", 1e3},
	Nanoseconds:  {"ns", "nanosecond", 1},
	Days:         {"days", "day", 0},
}

// ParseUnit returns the unit with a name. It reports false for an unknown name.
func ParseUnit(name string) (Unit, bool) {
	for u := range units {
		if units[u].name == name {
			return Unit(u), true
		}
	}
	return 0, false
}

// String returns the name of a unit: s, ms, us, ns, or days.
func (u Unit) String() string { return units[u].name }
