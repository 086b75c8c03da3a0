package date

// Days are numbered from 1970-01-01, a Thursday, which is 0. Weekdays are numbered from Monday,
// which is 0.

const secondsOfDay = 24 * 60 * 60

// januaryFirst returns the day number of January 1 of a year, which is at least 1.
func januaryFirst(year int) int {
	y := year - 1
	const before1970 = 719162
	return y*365 + y/4 - y/100 + y/400 - before1970
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// beforeMonth has the number of days before each month of a common year.
var beforeMonth = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// daysInMonth returns the number of days of a month, which is 1 to 12.
func daysInMonth(year, month int) int {
	n := beforeMonth[month] - beforeMonth[month-1]
	if month == 2 && isLeap(year) {
		n++
	}
	return n
}

// dayNumber returns the number of a calendar day.
func dayNumber(year, month, day int) int {
	days := januaryFirst(year) + beforeMonth[month-1] + day - 1
	if month > 2 && isLeap(year) {
		days++
	}
	return days
}

// weekdayOf returns the weekday of a day number.
func weekdayOf(days int) int { return ((days+3)%7 + 7) % 7 }

// isoWeekOne returns the Monday of the first ISO 8601 week of a year: the week that contains
// January 4.
func isoWeekOne(year int) int {
	fourth := januaryFirst(year) + 3
	return fourth - weekdayOf(fourth)
}

// dayOfWeek returns the day with this weekday in a week of a year. Weeks begin with the weekday
// first; week 1 begins on the first such day of the year.
func dayOfWeek(year, week, weekday, first int) int {
	newYear := januaryFirst(year)
	begin := newYear + (first-weekdayOf(newYear)+7)%7
	return begin + 7*(week-1) + (weekday-first+7)%7
}
