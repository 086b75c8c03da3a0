package input

import (
	"testing"

	"tfr-build/internal/excerpt"
	"tfr-build/schema"
)

func TestPositionHasAnExcerpt(t *testing.T) {
	row := &Record{Line: 7, Raw: []byte("1,\"NA\",x\n")}
	for name, c := range map[string]struct {
		bad  schema.RowError
		want excerpt.Excerpt
	}{
		"value": {schema.RowError{At: 0, Size: 1, Found: `"1"`}, excerpt.Excerpt{Marked: "1", After: `,"NA",x`}},
		"in quotes": {schema.RowError{At: 2, Size: 2, Found: `"NA"`},
			excerpt.Excerpt{Before: "1,", Marked: `"NA"`, After: ",x"}},
		"of another file": {schema.RowError{At: 0, Size: 2, Found: `"NA"`}, excerpt.Excerpt{After: `1,"NA",x`}},
		"no value":        {schema.RowError{At: 7}, excerpt.Excerpt{Before: `1,"NA",`, After: "x"}},
		"no place":        {schema.RowError{At: -1}, excerpt.Excerpt{}},
	} {
		if got := row.Position("t.csv", &c.bad).Excerpt; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	row.Before = 5
	if !row.Position("t.json", &schema.RowError{}).Excerpt.CutBefore {
		t.Error("nothing says that the line begins before the row")
	}
	if got := row.Position("t.json", &schema.RowError{At: -1}).Excerpt; got != (excerpt.Excerpt{}) {
		t.Errorf("an error without a place has the excerpt %+v", got)
	}
	record := &Record{Binary: true, Raw: []byte("abc")}
	if got := record.Position("a.tfrecord", &schema.RowError{}).Excerpt; got != (excerpt.Excerpt{}) {
		t.Errorf("a record has the excerpt %+v", got)
	}
}
