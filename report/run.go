package report

import (
	"html/template"
	"strconv"
)

// A Run is what depends on the run that made a dataset, and is not a part of it.
type Run struct {
	Stages []Stage // in their order
	Rates  []Rate  // in the order of time
	Facts  []string
}

// A Stage is a part of a run.
type Stage struct {
	Name    string
	Seconds float64
	Rows    int64
	Bytes   int64
}

// A Rate is what was done since the Rate before it.
type Rate struct {
	Second float64 // since the beginning
	Rows   int64
	Bytes  int64
}

// How much of a run is shown.
const (
	maxStages = 100
	maxRates  = 565 // a rate of more is that of neighbours together
	maxFacts  = 50
)

// A runView is the section of the run.
type runView struct {
	Stages      []stageView
	Rows, Bytes *rateChart
	Facts       []string
}

// A stageView is one stage; From and Width are its bar, of 1,000.
type stageView struct {
	Name, Seconds, Rows, Bytes, RowRate, ByteRate string
	From, Width                                   int
}

// A rateChart is a rate over time.
type rateChart struct {
	Drawing          template.HTML
	Title, Top, Last string
}

func viewRun(r *Run) *runView {
	if r == nil {
		return nil
	}
	v := &runView{}
	var whole, before float64
	stages := r.Stages[:min(len(r.Stages), maxStages)]
	for _, s := range stages {
		whole += s.Seconds
	}
	for _, s := range stages {
		v.Stages = append(v.Stages, stageView{
			Name: clean(s.Name, maxName), Seconds: seconds(s.Seconds), Rows: Grouped(s.Rows), Bytes: size(s.Bytes),
			RowRate: perSecond(s.Rows, s.Seconds, Grouped), ByteRate: perSecond(s.Bytes, s.Seconds, size),
			From: scaled(before, whole, 1000), Width: max(scaled(s.Seconds, whole, 1000), 2),
		})
		before += s.Seconds
	}
	if rates := fewer(r.Rates); len(rates) > 1 {
		v.Rows = drawRates("rows a second", rates, Grouped, func(r Rate) int64 { return r.Rows })
		v.Bytes = drawRates("bytes a second", rates, size, func(r Rate) int64 { return r.Bytes })
	}
	for _, f := range r.Facts[:min(len(r.Facts), maxFacts)] {
		v.Facts = append(v.Facts, clean(f, maxPhrase))
	}
	return v
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) + " s" }

// perSecond is a rate, where there was time to have one.
func perSecond(n int64, seconds float64, text func(int64) string) string {
	if n == 0 || !(seconds > 0) {
		return none
	}
	return text(int64(float64(n)/seconds)) + "/s"
}

// fewer puts rates together until they are few enough to draw.
func fewer(rates []Rate) []Rate {
	each := (len(rates) + maxRates - 1) / maxRates
	if each <= 1 {
		return rates
	}
	var few []Rate
	for i, r := range rates {
		if i%each == 0 {
			few = append(few, Rate{})
		}
		last := &few[len(few)-1]
		last.Second, last.Rows, last.Bytes = r.Second, last.Rows+r.Rows, last.Bytes+r.Bytes
	}
	return few
}

// drawRates draws what of gives, by the second, as an area over time.
func drawRates(title string, rates []Rate, text func(int64) string, of func(Rate) int64) *rateChart {
	const width, high = 1000 * tenth, 80 * tenth
	end := rates[len(rates)-1].Second
	values := make([]float64, len(rates))
	var top, before float64
	for i, r := range rates {
		if took := r.Second - before; took > 0 {
			values[i] = float64(of(r)) / took
		}
		top, before = max(top, values[i]), r.Second
	}
	if top == 0 {
		return nil
	}
	dst := []byte(`<path class="a s0" d="M0 80`)
	for i, r := range rates {
		dst = append(dst, 'V')
		dst = appendTenths(dst, high-scaled(values[i], top, high))
		dst = append(dst, 'H')
		dst = appendTenths(dst, scaled(r.Second, end, width))
	}
	dst = append(dst, `V80z"/><path class="x" d="M0 80.5H1000"/>`...)
	return &rateChart{template.HTML(dst), title, text(int64(top)) + "/s", seconds(end)}
}
