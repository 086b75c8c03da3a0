package checks

import (
	"slices"
	"strconv"
	"strings"

	"tfr-build/statistics"
)

// A classBalance has the counts of a feature's classes in each split.
type classBalance struct {
	*statistics.Feature
	names      []string
	counts     [][]int64 // by split, in the order of names
	isComplete []bool    // by split: classes that were not counted do not occur
}

// classBalances returns the counts of the features whose values are classes: the feature with the
// key by or, without it, the features with class names. A bool is skipped, although it has two
// names.
func classBalances(doc *statistics.Document, by string) []classBalance {
	var list []classBalance
	for i := range doc.Features {
		f := &doc.Features[i]
		switch {
		case by != "" && f.Key != by:
		case by == "" && slices.Equal(f.Classes, []string{"false", "true"}):
		case hasNames(f):
			list = append(list, namedBalance(f))
		case by != "":
			list = append(list, valueBalance(f))
		}
	}
	return list
}

func namedBalance(f *statistics.Feature) classBalance {
	b := classBalance{Feature: f, names: f.Classes}
	for i := range f.Splits {
		counts := f.Splits[i].ByClass
		if len(counts) == 0 {
			counts = make([]int64, len(f.Classes))
		}
		b.counts, b.isComplete = append(b.counts, counts), append(b.isComplete, true)
	}
	return b
}

// valueBalance treats the most frequent values of each split as classes.
func valueBalance(f *statistics.Feature) classBalance {
	classes := f.ByValue()
	b := namedBalance(&classes)
	b.Feature = f
	for i := range f.Splits {
		b.isComplete[i] = f.Splits[i].Other == 0
	}
	return b
}

// emptyClasses returns the classes without rows.
func (b *classBalance) emptyClasses() (found sampler) {
	for i, name := range b.names {
		if !slices.ContainsFunc(b.counts, func(counts []int64) bool { return counts[i] > 0 }) {
			found.add(name, "")
		}
	}
	return found
}

// missingFrom returns the classes that another split has, and this one does not.
func (b *classBalance) missingFrom(split int) (found sampler) {
	if !b.isComplete[split] {
		return found
	}
	for i, name := range b.names {
		if b.counts[split][i] == 0 && slices.ContainsFunc(b.counts, func(counts []int64) bool {
			return counts[i] > 0
		}) {
			found.add(name, "")
		}
	}
	return found
}

// countText returns a number of classes as text.
func (b *classBalance) countText(n int64) string {
	return strconv.FormatInt(n, 10) + " of its " + strconv.Itoa(len(b.names)) + " classes"
}

// checkClasses checks the classes of a dataset.
func checkClasses(l *list, doc *statistics.Document, e *Expected) {
	limited := map[string]bool{} // features for which the config limits missing records
	for i := range e.Features {
		limited[e.Features[i].Key] = e.Features[i].Missing != nil
	}
	for _, b := range classBalances(doc, e.By) {
		if !e.Classes.Empty {
			checkEmptyClasses(l, &b)
			checkUnlabeled(l, &b, limited[b.Key])
		}
		for split := range doc.Splits {
			if e.Classes.InEverySplit && doc.Splits[split].Records > 0 {
				checkMissingClasses(l, &b, split, doc.Splits[split].Name)
			}
		}
	}
}

func checkEmptyClasses(l *list, b *classBalance) {
	if found := b.emptyClasses(); found.count > 0 {
		number := b.countText(found.count)
		l.add(Finding{
			Check: "classes.empty", Feature: b.Key, Found: number, Limit: "none",
			Text: quote(b.Key) + ": " + number + " without any row: " + found.String(),
		})
	}
}

// checkUnlabeled finds records without a class and values of no class. limited is true if another
// check limits the records without the feature.
func checkUnlabeled(l *list, b *classBalance, limited bool) {
	var missing, records, unknown, values int64
	for i := range b.Splits {
		v := &b.Splits[i]
		if records += v.Present + v.Missing; !limited {
			missing += v.Missing
		}
		unknown, values = unknown+v.Unknown, values+v.Count
	}
	var found []string
	if missing > 0 {
		found = append(found, of(missing, records, "record")+" without a class")
	}
	if unknown > 0 {
		found = append(found, of(unknown, values, "value")+" of no class")
	}
	if text := strings.Join(found, ", "); text != "" {
		l.add(Finding{Check: "classes.empty", Feature: b.Key, Found: text, Limit: "none",
			Text: quote(b.Key) + ": " + text})
	}
}

func checkMissingClasses(l *list, b *classBalance, split int, name string) {
	if found := b.missingFrom(split); found.count > 0 {
		number := b.countText(found.count)
		l.add(Finding{
			Check: "classes.in_every_split", Feature: b.Key, Split: name, Found: number, Limit: "none",
			Text: in(b.Key, name) + ": " + number + " missing that other splits have: " + found.String(),
		})
	}
}
