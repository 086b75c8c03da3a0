// Package date parses the string of a date to a number, the time since 1970 in a unit:
//
//	zone, err := date.FindZone("Europe/Paris")
//	p, err := date.Compile("%d/%m/%Y %H:%M", date.Milliseconds, zone)
//	x, problem := p.Parse([]byte("31/12/1999 23:59")) // 946681140000
//	if problem.Reason != date.Fine { … p.Explain(text, problem) }
//
// A format consists of the letters of C's strptime that Python's datetime.strptime supports, or
// is rfc3339. [Compile] translates it to steps once. [Parser.Parse] then runs the steps over each
// string, without lookups and without allocations:
//
//	"%d/%m/%Y %H:%M"  ──► number day │ / │ number month │ / │ number year │ space │ …
//	                                                   │ for each string
//	 string ──► parts: 31, 12, 1999, 23, 59, 0 ──► days since 1970 ──► seconds in local
//	            time ──► zone, or the offset in the string ──► seconds in UTC ──► unit
//
// Names of months and days are English in every locale. Where Python guesses, this package
// rejects the string: too few digits before another number (2020111), a second 60, day 366 of a
// common year, a wrong weekday. A string that both accept has the same time in both.
//
// # Zones
//
// The zones are from one release of the IANA time zone database, in zones.tzif, which
// scripts/tzdata writes. The system's database is not used: its zones depend on its version.
//
//	"tzdata 2026f" LF                                     the release
//	"Africa/Abidjan 0 130" LF, by ascending names         name, offset, and size of its TZif file
//	LF
//	TZif files                                            the offsets are from here
//
// Package time reads a TZif file and applies it. [time.Date] does not tell whether a local time
// exists once, twice, or not at all, so local times are converted by the offsets before and after:
//
//	UTC         ────┬──────────── -5 h ─┬── -4 h ─────────────┬─ -5 h ──►
//	local time      │               2:00│3:00                 │2:00
//	                │                   └ skipped: 2:00–3:00  └ twice: 1:00–2:00, the first counts
package date
