// Package reporttest makes up pages: for the tests of package report, and for
// lab/page, which opens them in a browser.
//
//	page := reporttest.Typical(200, thumbs, small) // as most datasets are, with that many features
//	page := reporttest.Hostile()            // names and values that try to be something else
package reporttest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/report"
	"tfr-build/statistics"
)

// splits are the names and records of the splits of an invented dataset.
var splits = []statistics.Split{{Name: "train", Records: 800_214, Bytes: 190_000_000},
	{Name: "validation", Records: 99_873, Bytes: 24_000_000}, {Name: "test", Records: 99_913, Bytes: 24_100_000}}

// Typical makes a page with that many features of all kinds. The first records have the small
// thumbnails, if there are some.
func Typical(features int, thumbs, small []report.Thumb) *report.Page {
	r := rand.New(rand.NewPCG(1, 2))
	d := &statistics.Document{Format: statistics.DocumentFormat, Record: "example", Splits: splits}
	for i := range features {
		d.Features = append(d.Features, feature(r, i))
	}
	for i := range thumbs {
		thumbs[i].Split, thumbs[i].Shard, thumbs[i].Record = splits[i*3/len(thumbs)].Name, "train-00000-of-00010",
			int64(i)
	}
	return &report.Page{
		Manifest: manifest("trips", splits), Statistics: d, Findings: findings(), Remarks: remarks(), Thumbs: thumbs,
		Config: []byte(config), Version: "1.9.0", Records: records(d.Features, small),
		Shown: report.Shown{Values: true, Short: []byte("name: trips\n"),
			Keys:  []string{"image/encoded", "feature_003"},
			Dates: map[string]string{"feature_007": "days"}, Description: "Trips of the city's taxis, a record each.",
			License: "CC0-1.0", URL: "https://example.org/trips", Creator: "The city"},
	}
}

// records are ten of each split, or as many as there are thumbnails of the first feature.
func records(features []statistics.Feature, small []report.Thumb) (list []report.Records) {
	rows := 10
	if len(small) > 0 {
		rows = len(small) / len(splits)
	}
	for s := range splits {
		first := report.Records{Split: splits[s].Name}
		for i := range rows {
			var row report.Record
			for k := range features {
				row.Cells = append(row.Cells, dataset.Cell{Key: features[k].Key, Text: fmt.Sprintf("%d.%d", k, i)})
			}
			if len(small) > 0 {
				row.Thumb = small[s*rows+i]
				row.Thumb.Key = features[0].Key
			}
			first.Rows = append(first.Rows, row)
		}
		list = append(list, first)
	}
	return list
}

const config = "# Trips of the city's taxis, a record each.\nname: trips\nversion: 1.0.0\noutput: " +
	"out/trips\nsource:\n  csv: {files: data/*.csv}\nfeatures:\n  fare: {type: float, missing: omit}   # 0.3 % " +
	"missing\n  vendor: {classes: [CMT, VTS]}\n  image: {type: bytes}\nsplit:\n  fractions: {train: 80%, validation: " +
	"10%, test: 10%}\n"

func findings() []checks.Finding {
	return []checks.Finding{
		{Check: "split_skew", Feature: "feature_003", Split: "validation", Found: "0.14", Limit: "at most 0.1",
			Text: "The values of validation differ from those of train: the Jensen–Shannon divergence of their " +
				"histograms is 0.14."},
		{Check: "missing", Feature: "feature_006", Split: "test", Found: "4.2 %", Limit: "at most 1 %",
			Text: "4.2 % of the records of test have no value."},
	}
}

func remarks() []checks.Finding {
	return []checks.Finding{{Check: "leakage", Split: "test", Found: "12 rows", Limit: "",
		Text: "12 rows of test have the same content as rows of train."}}
}

// manifest makes one whose shards hold the records of the splits.
func manifest(name string, splits []statistics.Split) *dataset.Manifest {
	m := &dataset.Manifest{
		Format: 1, Tool: "tfr-build", Name: name, Version: "1.0.0", ConfigDigest: strings.Repeat("6ca168d9fba8e9cd", 4),
		Order: "shuffled", Compression: "none", DigestAlgorithm: "xxh128", Inputs: 12,
		Files: []dataset.FileEntry{{Name: dataset.ReaderName}, {Name: dataset.TorchReaderName},
			{Name: "dataset_info.json"}},
	}
	for _, s := range splits {
		shards := max(s.Records/80_000, 1)
		split := dataset.Split{Name: s.Name, Records: s.Records,
			Counts: dataset.Counts{Found: s.Records + 5, Written: s.Records,
				Rejected: map[string]int64{"VALUE_TYPE": 4, "CSV_COLUMNS": 1}}}
		for i := range shards {
			split.Shards = append(split.Shards, dataset.Shard{Name: fmt.Sprintf("%s-%05d-of-%05d", s.Name, i, shards),
				Records: s.Records / shards, Bytes: (s.Bytes + i*i*s.Bytes/400) / shards})
		}
		m.Splits = append(m.Splits, split)
	}
	m.Sources = []dataset.Source{{Name: "data/*.csv", Kind: "csv",
		Counts: dataset.Counts{Found: 1_000_015, Written: 1_000_000,
			Rejected: map[string]int64{"VALUE_TYPE": 12, "CSV_COLUMNS": 3}}, BlankLines: 2}}
	return m
}

// feature makes the i-th one: kinds and distributions take turns.
func feature(r *rand.Rand, i int) statistics.Feature {
	f := statistics.Feature{Key: fmt.Sprintf("feature_%03d", i), List: message.FloatList, Kind: statistics.Number}
	switch {
	case i == 1:
		return class(r, "vendor", []string{"CMT", "VTS", "DDS", "Juno", "Via"})
	case i == 2:
		return images("image/encoded")
	case i == 4:
		names := make([]string, 120)
		for k := range names {
			names[k] = fmt.Sprintf("zone %d", k+1)
		}
		return class(r, "zone", names)
	case i%3 == 1:
		f.List = message.Int64List
	case i%3 == 2:
		f.List, f.Kind = message.BytesList, statistics.Text
	}
	for s, split := range splits {
		v := statistics.Values{Present: split.Records - split.Records/300, Missing: split.Records / 300,
			Least: 1, Most: 1, Distinct: 38_213 + int64(i), Estimated: true}
		v.Count = v.Present
		n := numbers(r, v.Count, i, s)
		if f.Kind == statistics.Text {
			v.Sizes, v.Empty = n, 12
			v.Top = top(v.Count)
		} else {
			v.Numbers = n
		}
		f.Splits = append(f.Splits, v)
	}
	return f
}

func top(n int64) (list []statistics.Top) {
	for k := range int64(20) {
		list = append(list, statistics.Top{Value: fmt.Sprintf("value %d", k*37%100), Count: n / (k + 3)})
	}
	return list
}

// numbers makes a histogram of one of four distributions, and what else there is.
func numbers(r *rand.Rand, n int64, shape, split int) *statistics.Numbers {
	const bins, sample = 40, 4000
	counts := make([]int64, bins)
	var values []float64
	for range sample {
		var x float64
		switch shape % 4 {
		case 0:
			x = 20 + r.NormFloat64()*6
		case 1:
			x = r.ExpFloat64() * 6
		case 2:
			x = r.Float64() * 40
		default:
			x = 10 + r.NormFloat64()*3 + float64(r.IntN(2))*14 + float64(split)
		}
		x = max(0, min(x, 39.99))
		values = append(values, x)
		counts[int(x)] += n / sample
	}
	slices.Sort(values)
	m := &statistics.Numbers{Finite: n, Zeros: n / 90, Min: json.Number("0.25"), Max: json.Number("39.98"),
		Mean: 19.5471, Deviation: 6.02113}
	for _, q := range statistics.QuantileShares {
		m.Quantiles = append(m.Quantiles, values[int(q*sample)])
	}
	for b, c := range counts {
		m.Histogram = append(m.Histogram, statistics.Bin{Low: float64(b), High: float64(b + 1), Count: c})
	}
	return m
}

func class(r *rand.Rand, key string, names []string) statistics.Feature {
	f := statistics.Feature{Key: key, List: message.Int64List, Kind: statistics.Class, Classes: names}
	for s, split := range splits {
		v := statistics.Values{Present: split.Records, Least: 1, Most: 1, Distinct: int64(len(names))}
		for k, name := range names {
			n := int64(float64(split.Records) * (0.6 + 0.4*r.Float64()) / float64(2*(k+1)*(k%7+1)))
			if s == 1 && k == len(names)-1 {
				n = 0
			}
			v.ByClass, v.Count = append(v.ByClass, n), v.Count+n
			v.Top = append(v.Top, statistics.Top{Value: name, Count: n})
		}
		slices.SortStableFunc(v.Top, func(a, b statistics.Top) int { return int(b.Count - a.Count) })
		v.Top = v.Top[:min(len(v.Top), 20)]
		f.Splits = append(f.Splits, v)
	}
	return f
}

func images(key string) statistics.Feature {
	f := statistics.Feature{Key: key, List: message.BytesList, Kind: statistics.Image}
	edges := []int64{128, 181, 256, 362, 512, 724, 1024, 1448}
	for _, split := range splits {
		n := split.Records
		v := statistics.Values{Present: n, Count: n, Least: 1, Most: 1, Distinct: n}
		size := func(low, high string, median float64) statistics.Numbers {
			return statistics.Numbers{Finite: n, Min: json.Number(low), Max: json.Number(high), Mean: median,
				Quantiles: []float64{200, 220, 240, 300, median, 600, 700, 800, 1000}}
		}
		bytes := size("2011", "812345", 48_000)
		v.Sizes = &bytes
		v.Images = &statistics.Images{
			Formats:     []statistics.Top{{Value: "jpeg", Count: n - n/50}, {Value: "png", Count: n / 50}},
			Colorspaces: []statistics.Top{{Value: "RGB", Count: n - n/90}, {Value: "GRAY", Count: n / 90}},
			Channels:    []statistics.Top{{Value: "3", Count: n - n/90}, {Value: "1", Count: n / 90}},
			Width:       size("128", "2000", 500), Height: size("130", "1800", 375),
		}
		for a, w := range edges {
			for b, h := range edges {
				if c := float64(n) * math.Exp(-float64((a-4)*(a-4)+(b-3)*(b-3))/1.5-float64((a-b-1)*(a-b-1))); c >= 1 {
					v.Images.Grid = append(v.Images.Grid, statistics.Cell{Width: w, Height: h, Count: int64(c)})
				}
			}
		}
		f.Splits = append(f.Splits, v)
	}
	return f
}

// ran is what scripts of Hostile would do.
const ran = `document.title='ran'`

// names try to be something else.
var names = []string{
	`<script>` + ran + `</script>`, `"><img src=x onerror="` + ran + `">`, `'onmouseover='` + ran,
	`</style><script>` + ran + `</script>`,
	`</title><script>` + ran + `</script>`, `javascript:` + ran, `{{.Title}}`, "`${" + ran + "}`", `<!-- `, `]]>`,
	"&lt;b&gt;&#60;", "a\x00b\x1b[31mc\r\n\td",
	"\u202eevil\u202c\u2066x\u2069", "\u200b\ufeff", "\xff\xfe\x80no UTF-8",
	"\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627", strings.Repeat("z\u0300\u0301\u0302", 200),
	strings.Repeat("long_name_", 500), "", " ",
	"f0", "filter", "name", "__proto__", "<svg/onload=" + ran + ">", "https://example.com/x.png",
	"url(https://example.com/x)", "</bdi></h3></section>", "-->", "<base href=//example.com>",
	"<meta http-equiv=refresh content=0>",
}

// Hostile makes a page of such names, wherever there are names.
func Hostile() *report.Page {
	p := Typical(len(names)*2, nil, nil)
	for i := range p.Statistics.Features {
		f := &p.Statistics.Features[i]
		f.Key = names[i%len(names)] + strconv.Itoa(i/len(names))
		for k := range f.Classes {
			f.Classes[k] = names[k%len(names)]
		}
		for s := range f.Splits {
			for k := range f.Splits[s].Top {
				f.Splits[s].Top[k].Value = names[k%len(names)]
			}
			if n := f.Splits[s].Numbers; n != nil {
				oddNumbers(n, i)
			}
		}
		p.Findings = append(p.Findings, checks.Finding{Check: f.Key, Feature: f.Key, Split: f.Key, Found: f.Key,
			Limit: f.Key, Text: f.Key})
	}
	p.Statistics.Splits = slices.Clone(p.Statistics.Splits)
	for i := range p.Statistics.Splits {
		p.Statistics.Splits[i].Name = names[i]
		p.Manifest.Splits[i].Name = names[i]
		p.Manifest.Splits[i].Rejected = map[string]int64{names[i]: 1, names[i+3]: 2}
	}
	p.Manifest.Name, p.Manifest.Version, p.Manifest.Tool, p.Manifest.ConfigDigest = names[0], names[1],
		names[4], names[2]
	p.Manifest.Sources[0].Name = names[3]
	p.Manifest.Warnings = []dataset.Warning{{Text: names[1]}}
	p.Thumbs = []report.Thumb{{Split: names[0], Shard: names[1], Class: names[2], File: names[3], Record: 1}}
	p.Config = []byte(strings.Join(names, "\n"))
	p.Version = names[1]
	p.Shown = report.Shown{Values: true, Short: p.Config, Keys: names,
		Dates: map[string]string{names[0] + "0": names[1], names[3] + "0": "s"}, Description: names[0],
		License: names[1],
		URL:     names[2], Creator: names[3], Citation: names[4]}
	for i := range p.Records {
		r := &p.Records[i]
		r.Split = names[i]
		for _, row := range r.Rows {
			for k := range row.Cells {
				row.Cells[k] = dataset.Cell{Key: names[k%len(names)], Text: names[(k+1)%len(names)]}
			}
		}
	}
	p.Against = &report.Change{Name: names[0], Version: names[1], Notes: names,
		Splits: []report.SplitChange{{Name: names[0], Old: 1, New: 2}},
		Features: []report.FeatureChange{{Key: names[1], Old: names[2], New: names[3], Drift: math.NaN(),
			Note: names[4]}}}
	p.Run = &report.Run{Stages: []report.Stage{{Name: names[0], Seconds: math.Inf(1)}},
		Rates: []report.Rate{{Second: 0, Rows: 1}, {Second: math.NaN(), Rows: 2}}, Facts: names}
	return p
}

// oddNumbers makes numbers that a chart must not stumble over.
func oddNumbers(n *statistics.Numbers, i int) {
	switch i % 4 {
	case 0:
		n.Mean, n.Deviation, n.NaN, n.PosInf, n.NegInf = math.NaN(), math.Inf(1), 3, 4, 5
	case 1:
		n.Min, n.Max = json.Number("<script>"), json.Number("-1e308")
		n.Quantiles = []float64{math.Inf(-1), math.NaN(), 0, 0, 0, 0, 0, 0, math.Inf(1)}
	case 2:
		n.Histogram = []statistics.Bin{{Low: 5, High: 5, Count: n.Finite}}
	default:
		*n = statistics.Numbers{NaN: 12}
	}
}

// Many makes a page of that many features and classes.
func Many(features, classes int) *report.Page {
	p := Typical(5, nil, nil)
	d := p.Statistics
	names := make([]string, classes)
	counts := make([]int64, classes)
	for i := range names {
		names[i], counts[i] = "class "+strconv.Itoa(i), int64(i%1000)
	}
	d.Features[4].Classes = names
	for s := range d.Features[4].Splits {
		d.Features[4].Splits[s].ByClass = counts
	}
	one := d.Features[3]
	for i := len(d.Features); i < features; i++ {
		one.Key = fmt.Sprintf("feature_%05d", i)
		d.Features = append(d.Features, one)
	}
	p.Findings = append(p.Findings, checks.Finding{Check: "max", Feature: one.Key, Found: "9", Limit: "at most 3",
		Text: "The last feature has values above 3."})
	return p
}

// Full is Typical with everything else that a report may have.
func Full(thumbs, small []report.Thumb) *report.Page {
	p := Typical(20, thumbs, small)
	p.Against = &report.Change{Name: "trips", Version: "0.9.0",
		Splits: []report.SplitChange{{Name: "train", Old: 790_000, New: 800_214, Added: 12_214, Removed: 2_000,
			Moved: 14}, {Name: "test", Old: 99_913, New: 99_913}},
		Features: []report.FeatureChange{{Key: "feature_003", Old: "float_list number", New: "float_list number",
			Drift: 0.42, Note: "the median went from 12 to 19"}, {Key: "tip", New: "float_list number"},
			{Key: "surcharge", Old: "float_list number"}},
		Notes: []string{"The order of the records is another one: the seed differs."}}
	p.Run = &report.Run{Stages: []report.Stage{{Name: "find", Seconds: 0.31, Rows: 1_000_015, Bytes: 98_000_000},
		{Name: "write", Seconds: 1.2, Rows: 1_000_000, Bytes: 244_000_000}, {Name: "publish", Seconds: 0.08}}}
	for i := range 60 {
		p.Run.Rates = append(p.Run.Rates, report.Rate{Second: float64(i+1) / 50, Rows: 15_000 + int64(i*i*7%4000),
			Bytes: 4_000_000 + int64(i*37%9)*100_000})
	}
	return p
}

// Bare is a page of a dataset without records, features and all else.
func Bare() *report.Page {
	p := &report.Page{Manifest: manifest("empty", nil), Statistics: &statistics.Document{},
		Shown: report.Shown{Values: true}}
	p.Manifest.Splits, p.Manifest.Sources = []dataset.Split{{Name: "train"}}, nil
	p.Statistics.Splits = []statistics.Split{{Name: "train"}}
	p.Statistics.Features = []statistics.Feature{
		{Key: "x", List: message.FloatList, Kind: statistics.Number, Splits: []statistics.Values{{}}},
		{Key: "y", List: message.Int64List, Kind: statistics.Class, Classes: []string{"a", "b"},
			Splits: []statistics.Values{{ByClass: []int64{0, 0}}}},
		{Key: "z", List: message.BytesList, Kind: statistics.Image, Splits: []statistics.Values{{}}},
	}
	return p
}
