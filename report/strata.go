package report

import "tfr-build/dataset"

// maxStrata is how many values of a column are shown.
const maxStrata = 100

// A strataView is a table of the values that keep their shares in every split.
type strataView struct {
	Column, By string
	Unit       string // what is counted
	Splits     []splitView
	Rows       []stratumRow
	More       string
}

// A stratumRow is a value, its rows, and the rows and share of each split.
type stratumRow struct {
	Value, Rows string
	Cells       []stratumCell
}

type stratumCell struct{ Rows, Share string }

// viewStrata returns the tables of the columns that `stratify` names.
func viewStrata(m *dataset.Manifest) (list []strataView) {
	for _, s := range m.Stratified {
		v := strataView{Column: clean(s.Column, maxName), By: clean(s.By, maxName), Unit: "rows"}
		if m.Groups > 0 {
			v.Unit = "records"
		}
		shown := min(len(s.Splits), maxSplits)
		for i, name := range s.Splits[:shown] {
			v.Splits = append(v.Splits, splitView{Name: clean(name, maxName), Color: color(i)})
		}
		for _, of := range s.Values[:min(len(s.Values), maxStrata)] {
			row, all := stratumRow{Value: clean(of.Value, maxName)}, int64(0)
			for _, n := range of.Rows {
				all += n
			}
			for _, n := range of.Rows[:min(len(of.Rows), shown)] {
				row.Cells = append(row.Cells, stratumCell{Grouped(n), share(n, all)})
			}
			row.Rows = Grouped(all)
			v.Rows = append(v.Rows, row)
		}
		if n := s.Strata - len(v.Rows); n > 0 {
			v.More = "and " + count(int64(n), "value")
			if len(v.Rows) == 0 {
				v.More = count(int64(n), "value") + ", which the config hides"
			}
		}
		if n := len(s.Splits) - shown; n > 0 {
			v.More += " " + count(int64(n), "split") + " not shown"
		}
		list = append(list, v)
	}
	return list
}
