package schema

import (
	"fmt"
	"strings"
)

// A Problem is a setting that a record or a feature cannot have.
type Problem struct {
	Key     string // of the feature; empty for the record
	Setting string // as configs name it: shape, missing.default; empty for the feature itself
	Text    string // what was found, and what was expected
	Hint    string // lines of a config that fix it; may be empty
}

// Problems are all problems of a record.
type Problems []Problem

// Error returns a line for each problem: the feature, the setting, and the text.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, q := range p {
		if q.Key != "" {
			lines[i] = "feature " + quote(q.Key) + ": "
		}
		if q.Setting != "" {
			lines[i] += q.Setting + ": "
		}
		lines[i] += q.Text
	}
	return strings.Join(lines, "\n")
}

// A reporter collects the problems of a feature, or of a record if key is empty.
type reporter struct {
	key      string
	problems Problems
}

func (r *reporter) report(setting, format string, args ...any) {
	r.reportWithHint(setting, "", format, args...)
}

func (r *reporter) reportWithHint(setting, hint, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.key, setting, fmt.Sprintf(format, args...), hint})
}
