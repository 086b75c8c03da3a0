package dataset

import "testing"

// TestSentences has the sentences that a manifest's joins, warnings, and equal records are printed as.
func TestSentences(t *testing.T) {
	source := 0
	half := Join{
		At: "join[0]", Table: "t.csv", Rows: 4, Unmatched: 2, UnmatchedExample: `id "3"`,
		TableRows: 1, Unused: 1, UnusedExample: `key "x"`,
	}
	some := half
	some.NotJoined = 2
	skipped := Join{At: "join", Table: "t.csv", Rows: 1, TableRows: 3, TableSkipped: 2}
	unused := Join{At: "join", Table: "t.csv", Elements: true, Rows: 1, TableRows: 3, Unused: 2}
	m := &Manifest{Splits: []Split{{Name: "train", Records: 9}, {Name: "test", Records: 1}}}
	one, shared := (&EqualRecords{Records: 1}).Texts(m)
	about, split := (&EqualRecords{Records: 5, Shared: map[string]int64{"test": 1, "train": 3}, About: true}).Texts(m)
	for _, c := range []struct{ got, want string }{
		{half.Text(true), `join[0] (t.csv): 2 of 4 rows without a match, such as id "3"; ` +
			`1 of 1 row of the table without a match, such as key "x"`},
		{half.Text(false), `join[0] (t.csv): 2 of 4 rows without a match, such as id "3"`},
		{some.Text(AllJoined([]Join{half, some})),
			`join[0] (t.csv): 2 of 4 rows without a match, such as id "3"; 2 rows not looked up`},
		{unused.Text(true), "join (t.csv): 2 of 3 rows of the table without a match"},
		{unused.Text(false), ""},
		{skipped.Text(false), "join (t.csv): 2 of 5 rows of the table skipped by its where"},
		{(&Warning{Text: "a sentence", Code: "CODE", Source: &source}).Line("sources[0]"),
			"sources[0]: a sentence [CODE]"},
		{(&Warning{Text: "a sentence"}).Line("sources[0]"), "a sentence"},
		{one, "1 of 10 records is equal to another one"},
		{shared, ""},
		{about, "about 5 of 10 records are equal to another one"},
		{split, "records that another split has, too: about 3 of train, about 1 of test"},
	} {
		if c.got != c.want {
			t.Errorf("%q; want %q", c.got, c.want)
		}
	}
}
