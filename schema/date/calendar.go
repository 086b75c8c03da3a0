package date

// Days are counted from 1970-01-01, a Thursday; weekdays from Monday, which is 0.

const secondsOfDay = 24 * 60 * 60

// daysBefore is the first of January of a year, from 1 on.
func daysBefore(year int) int {
	y := year - 1
	const before1970 = 719162
	return y*365 + y/4 - y/100 + y/400 - before1970
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// beforeMonth are the days of a common year before each month.
var beforeMonth = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// daysOfMonth is how many days a month has, from 1 on.
func daysOfMonth(year, month int) int {
	n := beforeMonth[month] - beforeMonth[month-1]
	if month == 2 && isLeap(year) {
		n++
	}
	return n
}

// daysOf is a day of the calendar.
func daysOf(year, month, day int) int {
	days := daysBefore(year) + beforeMonth[month-1] + day - 1
	if month > 2 && isLeap(year) {
		days++
	}
	return days
}

// weekdayOf is the weekday of a day.
func weekdayOf(days int) int { return ((days+3)%7 + 7) % 7 }

// isoWeekOne is the Monday of the first week of a year as ISO 8601 counts them: the
// one that holds the fourth of January.
func isoWeekOne(year int) int {
	fourth := daysBefore(year) + 3
	return fourth - weekdayOf(fourth)
}

// dayOfWeek is a weekday in a week of a year; the first week begins with the first day
// of the year that is a first.
func dayOfWeek(year, week, weekday, first int) int {
	newYear := daysBefore(year)
	begin := newYear + (first-weekdayOf(newYear)+7)%7
	return begin + 7*(week-1) + (weekday-first+7)%7
}
