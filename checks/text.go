package checks

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/plural"
)

// quote returns a name or a value quoted, and truncated to a length that fits on a line.
func quote(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "…"
}

// in returns a phrase with the feature and the split.
func in(feature, split string) string { return quote(feature) + " in the split " + quote(split) }

func counted(n int64, noun string) string { return plural.Of(n, noun) }

// of returns a count and the total.
func of(n, all int64, noun string) string {
	return strconv.FormatInt(n, 10) + " of " + counted(all, noun)
}

// percent returns n as a percentage of all, with three digits.
func percent(n, all int64) string { return digits(100*(float64(n)/float64(all))) + "%" }

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// A sampler counts names and stores the first few, quoted.
type sampler struct {
	texts []string
	count int64
}

func (s *sampler) add(name, after string) {
	const most = 5
	if s.count++; s.count <= most {
		s.texts = append(s.texts, quote(name)+after)
	}
}

func (s *sampler) String() string {
	list := strings.Join(s.texts, ", ")
	if more := s.count - int64(len(s.texts)); more > 0 {
		list += " and " + strconv.FormatInt(more, 10) + " more"
	}
	return list
}
