package date

import (
	"testing"
	"time"
)

func BenchmarkParse(b *testing.B) {
	for _, bb := range []struct{ name, format, zone, layout, text string }{
		{"day", "%Y-%m-%d", "UTC", time.DateOnly, "2024-07-31"},
		{"second", "%Y-%m-%d %H:%M:%S", "UTC", time.DateTime, "2024-07-31 23:59:58"},
		{"zone", "%Y-%m-%d %H:%M:%S", "America/New_York", time.DateTime, "2024-07-31 23:59:58"},
		{"rfc3339", RFC3339, "UTC", time.RFC3339, "2024-07-31T23:59:58+02:00"},
		{"names", "%d %b %Y %I:%M %p", "UTC", "02 Jan 2006 03:04 PM", "31 Jul 2024 11:59 PM"},
	} {
		text := []byte(bb.text)
		b.Run(bb.name, func(b *testing.B) {
			p := compile(b, bb.format, "s", bb.zone)
			b.ReportAllocs()
			for b.Loop() {
				if _, problem := p.Parse(text); problem.Reason != Fine {
					b.Fatal(problem)
				}
			}
		})
		b.Run(bb.name+"/time", func(b *testing.B) {
			location, err := time.LoadLocation(bb.zone)
			if err != nil {
				b.Skip(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if x, err := time.ParseInLocation(bb.layout, string(text), location); err != nil || x.Unix() == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFindZone(b *testing.B) {
	for b.Loop() {
		if _, err := FindZone("Europe/Paris"); err != nil {
			b.Fatal(err)
		}
	}
}
