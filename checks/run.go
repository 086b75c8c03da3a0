package checks

import (
	"strconv"

	"tfr-build/statistics"
)

// Run returns the violations of e: first by feature in the order of e, then for the dataset. If e
// does not use features, doc needs none. leaks are only for e.Leakage.
func Run(doc *statistics.Document, e *Expected, leaks []Leak) []Finding {
	l := &list{}
	checkFeatures(l, doc, e.Features)
	checkRows(l, doc, e.Rows)
	if e.SplitSkew != nil {
		checkSplitSkew(l, doc, *e.SplitSkew)
	}
	if e.Leakage != nil {
		checkLeakage(l, leaks, *e.Leakage)
	}
	if e.Classes != nil {
		checkClasses(l, doc, e)
	}
	return l.complete()
}

// checkFeatures checks the values of features in each split.
func checkFeatures(l *list, doc *statistics.Document, expected []Feature) {
	if len(expected) == 0 {
		return
	}
	byKey := map[string]*statistics.Feature{}
	for i := range doc.Features {
		byKey[doc.Features[i].Key] = &doc.Features[i]
	}
	for i := range expected {
		f := byKey[expected[i].Key]
		if f == nil {
			continue
		}
		for s := range f.Splits {
			c := valueCheck{l, &expected[i], f, &f.Splits[s], doc.Splits[s].Name}
			c.checkAll()
		}
	}
}

func checkRows(l *list, doc *statistics.Document, expected []Rows) {
	for _, e := range expected {
		records := int64(0)
		for i := range doc.Splits {
			if doc.Splits[i].Name == e.Split {
				records = doc.Splits[i].Records
			}
		}
		if records >= e.Least {
			continue
		}
		limit := "at least " + strconv.FormatInt(e.Least, 10)
		l.add(Finding{
			Check: "rows", Split: e.Split, Found: counted(records, "row"), Limit: limit,
			Text: "the split " + quote(e.Split) + " has " + counted(records, "row") + "; expected " + limit,
		})
	}
}

func checkLeakage(l *list, leaks []Leak, most int64) {
	rows, splits := int64(0), sampler{}
	for _, leak := range leaks {
		if rows += leak.Rows; leak.Rows > 0 {
			splits.add(leak.Split, " ("+strconv.FormatInt(leak.Rows, 10)+")")
		}
	}
	if rows <= most {
		return
	}
	limit := "at most " + strconv.FormatInt(most, 10)
	l.add(Finding{
		Check: "leakage", Found: counted(rows, "row"), Limit: limit,
		Text: counted(rows, "row") + " with a content that is also in another split: in " + splits.String() +
			"; expected " + limit,
	})
}
