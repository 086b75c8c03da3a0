package pipeline

import (
	"fmt"

	"tfr-build/checks"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/work"
)

// The errors of a build that its caller tells apart, beside those of packages
// config, sources/input and sink.
type (
	// A RowsError says that rows cannot be used, or that there are none.
	RowsError = rejects.RowsError
	// A TooManyError says that more rows cannot be used than the config allows.
	TooManyError = rejects.TooManyError
	// A FewError says how few rows ended a run, which the config can leave out.
	FewError = rejects.FewError
	// A PlaceError names a path at which the run may not write.
	PlaceError = runstate.PlaceError
	// An AsideError says that a file about the run may not stand where it is to.
	AsideError = runstate.AsideError
	// A DatasetError says that the output is another dataset.
	DatasetError = runstate.DatasetError
)

// A ChecksError says that the data is not as the config's checks say, where these
// keep the dataset out of sight. What was found was told as warnings.
type ChecksError struct {
	Findings []checks.Finding
	Report   string // the path of a page to look at
}

func (e *ChecksError) Error() string {
	return "the dataset is not published: " + plural.Of(len(checks.Warnings(e.Findings)), "check") + " failed"
}

// A TasksError says that tasks make the dataset, in which nobody else may take part.
type TasksError struct {
	Output string
	Work   string // their work folder
	Config string // the file of their config
}

func (e *TasksError) Error() string {
	return fmt.Sprintf("%s is being made by the tasks of %s, whose work folder is %s", e.Output, e.Config, e.Work)
}

// A BrokenError says that a file which tasks share is damaged, and that no task makes it
// again.
type BrokenError = work.BrokenError

// A NotYetError says that a task was asked for before its time.
type NotYetError = work.NotYetError

// ErrDamage is what a RowsError is that a damaged file is the reason for.
var ErrDamage = rejects.ErrDamage

// A Reject is a line of the file of rejects.
type Reject = rejects.Entry

// Rejected is what is told of rows that were left out.
type Rejected = rejects.Rejected

// BytesVersion is raised whenever equal configs and inputs give other bytes
// than before.
const BytesVersion = runstate.BytesVersion

// CheckSalvage refuses a folder for salvaged records that would stand in a
// dataset, or around it.
func CheckSalvage(dir string, datasets []string) error { return runstate.CheckSalvage(dir, datasets) }
