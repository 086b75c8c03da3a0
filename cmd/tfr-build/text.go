package main

import (
	"fmt"
	"time"

	"tfr-build/report"
)

// bytesText returns a number of bytes for people: 65.4 kB.
func bytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

// countText returns a number of things for people: 1,000 rows.
func countText(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return report.Grouped(n) + " " + noun
}

// tookText returns a duration such as 0.05 s or 12.3 s; longer ones are in the form of
// durationText.
func tookText(d time.Duration) string {
	switch seconds := d.Seconds(); {
	case seconds < 9.995:
		return fmt.Sprintf("%.2f s", max(0.01, seconds))
	case seconds < 59.95:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return durationText(d)
}

// durationText returns a duration in seconds, from one hour on in minutes: 12 s, 2 min 05 s,
// 1 h 12 min.
func durationText(d time.Duration) string {
	seconds := int64(d.Round(time.Second).Seconds())
	minutes := int64(d.Round(time.Minute).Minutes())
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%s h %02d min", report.Grouped(minutes/60), minutes%60)
}

// rateText returns a number of rows per second, or per minute or hour if it is low: 6,880 rows/s,
// 1.5 rows/min.
func rateText(rows int64, took time.Duration) string {
	rate := float64(rows) / max(0.001, took.Seconds())
	switch {
	case rate >= 9.95:
		return report.Grouped(int64(rate+0.5)) + " rows/s"
	case rate >= 0.1:
		return fmt.Sprintf("%.1f rows/s", rate)
	case rate*60 >= 0.1:
		return fmt.Sprintf("%.1f rows/min", rate*60)
	}
	return fmt.Sprintf("%.1f rows/h", rate*3600)
}
