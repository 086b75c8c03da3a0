package pipeline

import (
	"context"
	"fmt"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/input"
)

// requireMatches returns the error of a join in which no row has a match. It reads all rows only if none of the first
// rows has one, so that the build ends before it writes rows.
func (j *job) requireMatches(ctx context.Context, l located) error {
	list, err := j.set.SampleMatches(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	m := j.set.NewMatcher(j.pool.Size())
	defer m.Close()
	m.Expect(list)
	list, err = m.Unmatched(l.Each(ctx, nil, m.Match))
	if err != nil || len(list) == 0 {
		return err
	}
	return j.unmatchedError(&list[0])
}

// sampleMatches looks at the first rows for a command that writes nothing. A join in which none of them has a match is
// an error if they are all rows, and otherwise a warning.
func (j *job) sampleMatches(ctx context.Context) error {
	list, err := j.set.SampleMatches(ctx)
	for i := range list {
		if list[i].All {
			return j.unmatchedError(&list[i])
		}
		j.run.warn(list[i].At + ": " + unmatchedText(&list[i]) + "; a build fails if no other row has one " +
			"[JOIN_NO_MATCH]")
	}
	return err
}

// unmatchedError returns the error of a join in which no row has a match.
func (j *job) unmatchedError(u *rows.Unmatched) error {
	return &input.MismatchError{
		Path: u.At, Text: unmatchedText(u), Code: "JOIN_NO_MATCH", Key: u.At, Config: j.cfg.PositionOf(u.At),
		Hint: fmt.Sprintf("compare the values of %s and %s; allow_empty: true in the join accepts it",
			strings.Join(u.Ours, ", "), strings.Join(u.Theirs, ", ")),
	}
}

func unmatchedText(u *rows.Unmatched) string {
	unit := "row"
	if u.Elements {
		unit = "element"
	}
	which := "none of " + plural.Of(u.Rows, unit) + " has a match"
	switch {
	case !u.All:
		which = "none of the first " + plural.Of(u.Rows, unit) + " has a match"
	case u.Rows == 1:
		which = "the only " + unit + " has no match"
	}
	return fmt.Sprintf("%s in %s, which has %s: found %s in the source, and %s in the table", which, u.Table,
		plural.Of(u.TableRows, "row"), u.Example, u.UnusedExample)
}
