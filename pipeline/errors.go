package pipeline

import (
	"fmt"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/work"
)

// The errors of a build that its caller distinguishes, besides errors of packages config,
// sources/input, and sink.
type (
	// A RowsError says that rows are invalid, or that a source has no rows.
	RowsError = rejects.RowsError
	// A TooManyError says that more rows are invalid than the config allows.
	TooManyError = rejects.TooManyError
	// A FewError says that few rows made the build fail, and that the config can quarantine them.
	FewError = rejects.FewError
	// A BadPathError names a path where the build may not write.
	BadPathError = runstate.BadPathError
	// A RunFileError says that a file about the run cannot be at its path.
	RunFileError = runstate.RunFileError
	// A DatasetError says that the output has another dataset.
	DatasetError = runstate.DatasetError
)

// A ChecksError says that the data fails the config's checks, and that the dataset is not
// published for this. The findings were also warnings.
type ChecksError struct {
	Findings []checks.Finding
	Report   string // path of the report; empty if the config has none
}

func (e *ChecksError) Error() string {
	return "the dataset is not published: " + plural.Of(len(checks.Warnings(e.Findings)), "check") + " failed"
}

// A FileError says that a file that describes the dataset cannot be made. The next run keeps the finished shards.
type FileError = dataset.FileError

// A TasksError says that tasks of other processes build the dataset.
type TasksError struct {
	Output string
	Work   string // path of their work directory
	Config string // path of their config
}

func (e *TasksError) Error() string {
	return fmt.Sprintf("%s is being made by the tasks of %s, whose work directory is %s", e.Output, e.Config, e.Work)
}

// A BrokenError says that a file that tasks share is damaged, and that no task makes it again.
type BrokenError = work.BrokenError

// A NotYetError says that a task cannot start before another phase is done.
type NotYetError = work.NotYetError

// ErrDamage matches a RowsError whose cause is a damaged file; use errors.Is.
var ErrDamage = rejects.ErrDamage

// A Reject is a line of the file of rejects.
type Reject = rejects.Entry

// Rejected describes the rows that were rejected.
type Rejected = rejects.Rejected

// BytesVersion is increased whenever the same config and input give other bytes than before.
const BytesVersion = runstate.BytesVersion

// CheckSalvage returns an error if the directory for salvaged records is in a dataset, or contains
// one.
func CheckSalvage(dir string, datasets []string) error { return runstate.CheckSalvage(dir, datasets) }
