package parquet

import (
	"errors"
	"strings"
	"testing"

	"tfr-build/internal/bug"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// A panic while a column is decoded is a bug, not damage of the file. The error names the file, the
// row group, the column, and the function.
func TestPanicsAreBugs(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.parquet": string(parquettest.File(3,
		parquettest.Column{Name: "id", Values: []int64{1, 2, 3}}))})
	in := mustOpen(t, dir, "a.parquet")
	broken := func() error { return damaged("%d", in.files[0].groups[9].rows) }
	err := in.fileError(0, inGroup(guard(broken), 0, `"id"`))
	of := new(input.Error)
	if !errors.As(err, &of) || of.Code() != "INTERNAL" || !errors.As(err, new(*bug.Error)) {
		t.Fatal(err)
	}
	for _, want := range []string{`a.parquet: internal error: row group 0, column "id": runtime error: `,
		"in sources/parquet.TestPanicsAreBugs"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
