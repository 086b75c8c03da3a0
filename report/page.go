package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the parts of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/statistics"
)

// Name is the file of the page in a dataset.
const Name = "_tfr/report.html"

// A Page is what the page shows.
type Page struct {
	Manifest   *dataset.Manifest    // its Files are not looked at: the page is one of them
	Statistics *statistics.Document // nil: none
	Findings   []checks.Finding     // checks that failed
	Remarks    []checks.Finding     // what is unusual, without a check
	Thumbs     []Thumb
	Records    []Records // the first ones
	Shown
	Config  []byte  // the text of the config, with all keys; nil: none
	Version string  // of the program
	Against *Change // nil: no other version
	Run     *Run    // nil: nothing of a run, as in a dataset
}

// Shown is what the config says of the page, and of the complete dataset.
type Shown struct {
	Values bool   // values of records are shown
	By     string // the key of the only feature whose values are classes; empty for those that have some
	Hidden bool   // the files of TFDS are hidden from others

	Keys  []string          // of the features, in their order
	Dates map[string]string // the units of features that are dates, by their keys
	Boxes []BoxList         // features with boxes whose layout is known

	Short []byte // the config without the keys that have their defaults; nil: none

	Description, URL, License, Creator, Citation string
}

//go:embed page.html
var layout string

//go:embed page.css
var style string

//go:embed page.js
var script string

// parsed is the layout, read once: that takes longer than a small page.
var parsed = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Parse(layout)
})

// Append appends the page to dst: a complete file of HTML.
func Append(dst []byte, p *Page) ([]byte, error) {
	t, err := parsed()
	if err != nil {
		return dst, fmt.Errorf("the layout of the report: %w", err)
	}
	b := bytes.NewBuffer(dst)
	if err := t.Execute(b, newView(p)); err != nil {
		return dst, fmt.Errorf("the report: %w", err)
	}
	return b.Bytes(), nil
}

// A view is what the layout asks for.
type view struct {
	Title, Name, Version string
	Policy               template.HTMLAttr
	Style, Script        template.HTML
	About                []string
	Description          string
	Records              []recordsView
	Load                 []snippet
	Cards                []card
	Splits               []splitView
	Bar                  template.HTML
	MoreSplits           string
	Strata               []strataView
	Change               *changeView
	Found                found
	Classes              []classView
	MoreClasses          string
	Thumbs               []thumbGroup
	Images               []imageView
	Features             featuresView
	HasStatistics        bool
	HidesValues          bool
	Shards               shardsView
	Rejects              rejectsView
	Run                  *runView
	Config, Short        configView
	Made                 string
}

// A card is one figure at the top.
type card struct {
	Figure, Label, Link string
	Bad                 bool
}

func newView(p *Page) *view {
	sorted := *p
	p, sorted.Statistics = &sorted, byConfig(p.Statistics, p.Keys)
	m := p.Manifest
	v := &view{
		Name: clean(m.Name, maxName), Version: clean(m.Version, maxName),
		Policy: policy(), Style: element("style", style), Script: element("script", script),
		About: about(p), HasStatistics: p.Statistics != nil, HidesValues: !p.Values,
		Made: made(p),
	}
	v.Title = v.Name + " " + v.Version
	v.Splits, v.Bar, v.MoreSplits = viewSplits(m)
	v.Strata = viewStrata(m)
	v.Found = viewFound(p)
	v.Change = viewChange(p.Against)
	v.Thumbs = viewThumbs(p)
	v.Description = clean(p.Description, maxPhrase)
	v.Records = viewRecords(p, v.Splits)
	v.Load = snippets(p)
	if p.Statistics != nil {
		v.Classes, v.MoreClasses = viewClasses(p.Statistics, p.By)
		v.Images = viewImages(p.Statistics)
		v.Features = viewFeatures(p, p.Statistics, &v.Found)
	}
	v.Shards = viewShards(m)
	v.Rejects = viewRejects(m)
	v.Run = viewRun(p.Run)
	v.Config, v.Short = viewConfig(p.Config), viewConfig(p.Short)
	v.Cards = cards(p, v)
	return v
}

// element is a part of the page that is part of the program. Its text is what its
// hash in the policy is of.
func element(name, text string) template.HTML {
	return template.HTML("<" + name + ">" + text + "</" + name + ">")
}

// policy is the Content-Security-Policy: nothing but images that are in the
// page, its style and its script.
func policy() template.HTMLAttr {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src ` + hash(style) +
		`; script-src ` + hash(script) + `; base-uri 'none'; form-action 'none'"`)
}

// about says what the dataset is, and how it was made.
func about(p *Page) []string {
	m := p.Manifest
	order := m.Order
	if m.Order == "shuffled" {
		order = fmt.Sprintf("shuffled with seed %d", m.Seed)
	}
	record, framing := m.Records()
	format := record.Name() + " · " + framing.Title
	if m.Compression != "" && m.Compression != "none" {
		format += " · " + m.Compression
	}
	list := []string{format, "Order: " + order}
	for _, fact := range []struct{ name, text string }{
		{"License: ", p.License}, {"Source: ", p.URL}, {"Creator: ", p.Creator}, {"Citation: ", p.Citation},
	} {
		if fact.text != "" {
			list = append(list, fact.name+clean(fact.text, maxPhrase))
		}
	}
	list = append(list, "Config digest "+clean(m.ConfigDigest, 16))
	if m.BytesVersion > 0 {
		list = append(list, fmt.Sprintf("Bytes version %d", m.BytesVersion))
	}
	return list
}

func made(p *Page) string {
	text := "Made by " + clean(p.Manifest.Tool, maxName)
	if p.Version != "" {
		text += " " + clean(p.Version, maxName)
	}
	return text
}

// cards are the figures at the top, of what the sections below tell in full.
func cards(p *Page, v *view) []card {
	var records, bytes, shards int64
	for _, s := range p.Manifest.Splits {
		records += s.Records
		shards += int64(len(s.Shards))
		for _, f := range s.Shards {
			bytes += f.Bytes
		}
	}
	list := []card{
		{Figure: Grouped(records), Label: noun(records, "record")},
		{Figure: size(bytes), Label: "in " + count(shards, "shard"), Link: "#shards"},
	}
	if p.Statistics != nil {
		n := int64(len(p.Statistics.Features))
		list = append(list, card{Figure: Grouped(n), Label: noun(n, "feature"), Link: "#features"})
	}
	splits, rejected := int64(len(p.Manifest.Splits)), v.Rejects.Total
	found := int64(v.Found.Count())
	return append(list,
		card{Figure: Grouped(splits), Label: noun(splits, "split")},
		card{Figure: Grouped(rejected), Label: "rejected", Link: "#rejects"},
		card{Figure: Grouped(found), Label: noun(found, "finding"), Link: "#look", Bad: len(p.Findings) > 0})
}

func noun(n int64, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// maxConfig is how many bytes of the config are shown.
const maxConfig = 128 << 10

// A configView is the text of a config.
type configView struct {
	Lines []configLine
	Cut   string // says that there is more
}

// A configLine is a line of the config.
type configLine struct {
	Text    string
	Comment bool
}

func viewConfig(config []byte) (v configView) {
	if len(config) == 0 {
		return v
	}
	text, isCut := cleanLines(config, maxConfig)
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		v.Lines = append(v.Lines, configLine{line, strings.HasPrefix(strings.TrimSpace(line), "#")})
	}
	if isCut {
		v.Cut = "This is its beginning; all of it is " + size(int64(len(config))) + "."
	}
	return v
}
