// Package date reads the date of a text as a number, the time since 1970 in a unit:
//
//	zone, err := date.FindZone("Europe/Paris")
//	p, err := date.Compile("%d/%m/%Y %H:%M", date.Milliseconds, zone)
//	x, fault := p.Parse([]byte("31/12/1999 23:59")) // 946681140000
//	if fault.Reason != date.Fine { … p.Explain(text, fault) }
//
// A format is in the letters of C's strptime, those that Python's
// datetime.strptime knows, or is rfc3339. It is compiled to steps once; a text goes
// through them without anything being looked up or allocated:
//
//	"%d/%m/%Y %H:%M"  ──► number day │ / │ number month │ / │ number year │ space │ …
//	                                                   │ of each text
//	 text ──► parts: 31, 12, 1999, 23, 59, 0 ──► days since 1970 ──► seconds, as a
//	          clock shows them ──► zone, or the offset of the text ──► seconds of UTC
//	          ──► unit
//
// Names of months and days are English, whatever the locale. What Python takes with a
// guess is refused: a number of fewer digits before another one (2020111), a second
// 60, the 366th day of a common year, a weekday that is not that of its day. What both
// take, both take for the same time.
//
// # Zones
//
// The zones are those of one release of the IANA time zone database, in zones.tzif, which
// scripts/tzdata writes. The database of the system is not read: what it says of a zone
// changes with its version.
//
//	"tzdata 2026f" LF                                     the release
//	"Africa/Abidjan 0 130" LF, by ascending names         name, offset and size of its TZif file
//	LF
//	TZif files                                            the offsets are from here
//
// Package time reads a TZif file. The offsets from UTC and when they begin are taken from it
// once, until the year 2500; later changes repeat every 400 years. Asking it for each value
// took 10 times as long.
//
//	UTC     ────┬──────────── -5 h ─┬── -4 h ─────────────┬─ -5 h ──►
//	a clock     │               2:00│3:00                 │2:00
//	            │                   └ skipped: 2:00–3:00  └ twice: 1:00–2:00, the first is meant
package date
