package checks

import (
	"slices"
	"strconv"
	"strings"

	"tfr-build/statistics"
)

// A balance is how often the classes of a feature occur in each split.
type balance struct {
	*statistics.Feature
	names  []string
	counts [][]int64 // of each split, beside names
	sure   []bool    // of each split: what is not counted there does not occur
}

// balances are those of the features whose values are classes: the one that by
// names, or those that have names. A bool is none by itself, though it has two.
func balances(doc *statistics.Document, by string) []balance {
	var list []balance
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

func namedBalance(f *statistics.Feature) balance {
	b := balance{Feature: f, names: f.Classes}
	for i := range f.Splits {
		counts := f.Splits[i].ByClass
		if len(counts) == 0 {
			counts = make([]int64, len(f.Classes))
		}
		b.counts, b.sure = append(b.counts, counts), append(b.sure, true)
	}
	return b
}

// valueBalance takes the most frequent values of each split for classes.
func valueBalance(f *statistics.Feature) balance {
	classes := f.ByValue()
	b := namedBalance(&classes)
	b.Feature = f
	for i := range f.Splits {
		b.sure[i] = f.Splits[i].Other == 0
	}
	return b
}

// empty are the classes without any row.
func (b *balance) empty() (found sampler) {
	for i, name := range b.names {
		if !slices.ContainsFunc(b.counts, func(counts []int64) bool { return counts[i] > 0 }) {
			found.add(name, "")
		}
	}
	return found
}

// notIn are the classes that some split has, and this one has not.
func (b *balance) notIn(split int) (found sampler) {
	if !b.sure[split] {
		return found
	}
	for i, name := range b.names {
		if b.counts[split][i] == 0 && slices.ContainsFunc(b.counts, func(counts []int64) bool { return counts[i] > 0 }) {
			found.add(name, "")
		}
	}
	return found
}

// some says how many of the classes.
func (b *balance) some(n int64) string {
	return strconv.FormatInt(n, 10) + " of its " + strconv.Itoa(len(b.names)) + " classes"
}

// classes checks those of a dataset.
func classes(l *list, doc *statistics.Document, e *Expected) {
	limited := map[string]bool{} // features that the config says of how many may be missing
	for i := range e.Features {
		limited[e.Features[i].Key] = e.Features[i].Missing != nil
	}
	for _, b := range balances(doc, e.By) {
		if !e.Classes.Empty {
			emptyClasses(l, &b)
			unlabelled(l, &b, limited[b.Key])
		}
		for split := range doc.Splits {
			if e.Classes.InEverySplit && doc.Splits[split].Records > 0 {
				missingClasses(l, &b, split, doc.Splits[split].Name)
			}
		}
	}
}

func emptyClasses(l *list, b *balance) {
	if found := b.empty(); found.count > 0 {
		number := b.some(found.count)
		l.add(Finding{
			Check: "classes.empty", Feature: b.Key, Found: number, Limit: "none",
			Text: quote(b.Key) + ": " + number + " without any row: " + found.String(),
		})
	}
}

// unlabelled is about records and values of no class. How many records may lack the
// feature may be limited by a check of its own.
func unlabelled(l *list, b *balance, limited bool) {
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
		l.add(Finding{Check: "classes.empty", Feature: b.Key, Found: text, Limit: "none", Text: quote(b.Key) + ": " + text})
	}
}

func missingClasses(l *list, b *balance, split int, name string) {
	if found := b.notIn(split); found.count > 0 {
		number := b.some(found.count)
		l.add(Finding{
			Check: "classes.in_every_split", Feature: b.Key, Split: name, Found: number, Limit: "none",
			Text: in(b.Key, name) + ": " + number + " missing that other splits have: " + found.String(),
		})
	}
}
