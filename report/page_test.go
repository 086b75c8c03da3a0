package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/internal/imagetest"
	"tfr-build/internal/reporttest"
	"tfr-build/message"
	"tfr-build/report"
	"tfr-build/statistics"
)

var update = flag.Bool("update", false, "write the golden page")

// pictures makes as many thumbnails as a page and its first records have, from two photos.
func pictures(t testing.TB) (thumbs, records []report.Thumb) {
	var s report.Scratch
	photos := imagetest.Photos(t)
	for _, photo := range photos[:len(photos):len(photos)] {
		if len(thumbs) < 2 && (len(thumbs) == 1) == strings.Contains(strings.ToLower(photo.Name), "portrait") {
			thumbs = append(thumbs, reporttest.Thumb(&s, photo.Data, [][4]float64{{0.2, 0.25, 0.6, 0.9}},
				report.ThumbHeight))
			records = append(records, reporttest.Thumb(&s, photo.Data, nil, report.RecordThumbHeight))
		}
	}
	for len(thumbs) < report.DefaultThumbs {
		thumbs = append(thumbs, thumbs[len(thumbs)-2])
	}
	for len(records) < 36-report.DefaultThumbs {
		records = append(records, records[len(records)-2])
	}
	return thumbs, records
}

// typical is a page of that many features with images.
func typical(t testing.TB, features int) *report.Page {
	thumbs, records := pictures(t)
	return reporttest.Typical(features, thumbs, records)
}

func render(t testing.TB, p *report.Page) []byte {
	t.Helper()
	data, err := report.Append(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSize limits the page of 200 features, 3 splits, and 36 images to 600 KB.
func TestSize(t *testing.T) {
	page := render(t, typical(t, 200))
	if len(page) > 600_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// TestSizeOfNoise limits the page of as many features and images of noise, whose thumbnails are the largest.
func TestSizeOfNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := image.NewNRGBA(image.Rect(0, 0, 2*report.ThumbHeight, report.ThumbHeight))
	for i := range noise.Pix {
		noise.Pix[i] = byte(r.Uint32()) | byte(i%4/3*255)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, noise); err != nil {
		t.Fatal(err)
	}
	m := newMade(t, "shuffled", "none")
	m.add("train", slices.Repeat([][]byte{file.Bytes()}, report.DefaultThumbs)...)
	for _, features := range []int{10, 194, 200} {
		for len(m.document.Features) < features {
			m.document.Features = append(m.document.Features,
				statistics.Feature{Key: strconv.Itoa(len(m.document.Features))})
		}
		thumbs, err := report.Thumbnails(m.open, &m.manifest, &m.document, &report.Shown{}, report.DefaultThumbs)
		if err != nil || len(thumbs) != report.DefaultThumbs {
			t.Fatalf("%d thumbnails: %v", len(thumbs), err)
		}
		if features == 10 && len(thumbs[0].JPEG) < 7000 {
			t.Errorf("a thumbnail has %d bytes, although the page is small", len(thumbs[0].JPEG))
		}
		var s report.Scratch
		records := slices.Repeat([]report.Thumb{reporttest.Thumb(&s, file.Bytes(), nil, report.RecordThumbHeight)},
			36-report.DefaultThumbs)
		if page := render(t, reporttest.Typical(features, thumbs, records)); len(page) > 600_000 {
			t.Errorf("%d features: the page has %d bytes", features, len(page))
		}
	}
}

func TestEqualPages(t *testing.T) {
	a, b := render(t, reporttest.Hostile()), render(t, reporttest.Hostile())
	if !bytes.Equal(a, b) {
		t.Error("equal pages give other bytes")
	}
	if appended, _ := report.Append([]byte("x"), reporttest.Hostile()); !bytes.Equal(appended[1:], a) {
		t.Error("the page is not appended")
	}
}

// TestNothingBecomesMarkup looks for what a browser would take for more than text. lab/page
// asks a browser.
func TestNothingBecomesMarkup(t *testing.T) {
	page := render(t, reporttest.Hostile())
	circles := bytes.Count(page, []byte(`<circle class="p"`)) // of sizes of images, each with a title
	for part, times := range map[string]int{"<script": 1, "<style": 1, "<title": 1 + circles, "<base": 0, "<!--": 0,
		"<iframe": 0, "<svg/": 0, "<img src=x": 0, "http://": 0, "ZgotmplZ": 0} {
		if n := bytes.Count(page, []byte(part)); n != times {
			t.Errorf("%s is there %d times, want %d", part, n, times)
		}
	}
	if !utf8.Valid(page) {
		t.Error("the page is not UTF-8")
	}
	for at, r := range string(page) {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
			t.Fatalf("%q at byte %d", r, at)
		}
	}
	if len(page) > 1_000_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// TestPolicy compares the hashes of the policy with what they are of.
func TestPolicy(t *testing.T) {
	page := string(render(t, reporttest.Bare()))
	for _, element := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+element+">")
		text, _, _ := strings.Cut(rest, "</"+element+">")
		sum := sha256.Sum256([]byte(text))
		if want := element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; text == "" ||
			!strings.Contains(page, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	if !strings.Contains(page, `"default-src 'none'; `) || strings.Contains(page, "unsafe") ||
		strings.Index(page, "Content-Security-Policy") > strings.Index(page, "<style>") {
		t.Error("the policy allows more")
	}
}

// TestSizeOfLargePages limits the size of the page of many features and classes.
func TestSizeOfLargePages(t *testing.T) {
	page := string(render(t, reporttest.Many(12_000, 100_000)))
	if len(page) > 3_000_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	full, lines := strings.Count(page, `<tr class=detail>`), strings.Count(page, `<tr id=f`)
	if full != 500 || lines != 10_000 {
		t.Errorf("%d features with charts, and %d lines", full, lines)
	}
	for _, want := range []string{
		`<tbody id=f11999 class=flagged>`, "Of 12,000 features 500 have charts", "and 1,500 more features",
		"… 99,970 classes between them …", `href="#f11999"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestValuesAreHidden makes a page that keeps values out.
func TestValuesAreHidden(t *testing.T) {
	p := typical(t, 9)
	shown := render(t, p)
	p.Values = false
	hidden := render(t, p)
	for _, part := range []string{"data:image/jpeg", "value 37", "Most frequent"} {
		if !bytes.Contains(shown, []byte(part)) || bytes.Contains(hidden, []byte(part)) {
			t.Errorf("%q is shown independently of the options of the page", part)
		}
	}
	if !bytes.Contains(hidden, []byte("kept out of this page")) {
		t.Error("the page does not say so")
	}
}

// small is a page whose text is easy to look through.
func small() *report.Page {
	numbers := func(n int64, mean float64) *statistics.Numbers {
		return &statistics.Numbers{Finite: n, Zeros: 1, Min: "0", Max: "8.5", Mean: mean, Deviation: 1.25,
			Quantiles: []float64{0, 0.5, 1, 2, 3, 4, 5, 6, 8},
			Histogram: []statistics.Bin{{Low: 0, High: 3, Count: n / 2}, {Low: 3, High: 6, Count: n / 4},
				{Low: 6, High: 9, Count: n - n/2 - n/4}}}
	}
	d := &statistics.Document{Format: 1, Splits: []statistics.Split{{Name: "train", Records: 8},
		{Name: "test", Records: 4}}, Features: []statistics.Feature{
		{Key: "a<b>", List: message.FloatList, Kind: statistics.Number, Splits: []statistics.Values{
			{Present: 8, Count: 8, Least: 1, Most: 1, Distinct: 8, Numbers: numbers(8, 3.5)},
			{Present: 3, Missing: 1, Count: 3, Least: 1, Most: 1, Distinct: 3, Numbers: numbers(3, 2)}}},
		{Key: "label", List: message.Int64List, Kind: statistics.Class, Classes: []string{"cat", "dog"},
			Splits: []statistics.Values{
				{Present: 8, Count: 8, Least: 1, Most: 1, Distinct: 2, ByClass: []int64{6, 2},
					Top: []statistics.Top{{Value: "cat", Count: 6}, {Value: "dog", Count: 2}}},
				{Present: 4, Count: 4, Least: 1, Most: 1, Distinct: 1, ByClass: []int64{0, 4},
					Top: []statistics.Top{{Value: "dog", Count: 4}}}}},
	}}
	m := &dataset.Manifest{Tool: "tfr-build", Name: "pets", Version: "1.0.0", ConfigDigest: "0123456789abcdef0123",
		Order: "source", Compression: "gzip",
		Files: []dataset.FileEntry{{Name: dataset.ReaderName}, {Name: dataset.TorchReaderName},
			{Name: "dataset_info.json"}},
		Splits: []dataset.Split{
			{Name: "train", Records: 8, Counts: dataset.Counts{Found: 9, Written: 8,
				Rejected: map[string]int64{"VALUE_TYPE": 1}},
				Shards: []dataset.Shard{{Name: "train-00000-of-00001", Records: 8, Bytes: 812}}},
			{Name: "test", Records: 4, Counts: dataset.Counts{Found: 4, Written: 4},
				Shards: []dataset.Shard{{Name: "test-00000-of-00001", Records: 4, Bytes: 402}}}},
		Sources: []dataset.Source{{Name: "pets.csv", Kind: "csv",
			Counts: dataset.Counts{Found: 13, Written: 12, Rejected: map[string]int64{"VALUE_TYPE": 1}}}}}
	return &report.Page{Manifest: m, Statistics: d, Shown: report.Shown{Values: true},
		Config: []byte("# pets\nname: pets\n"),
		Findings: []checks.Finding{{Check: "classes.in_every_split", Feature: "label", Split: "test", Found: "0 of cat",
			Limit: "at least 1", Text: "The class cat has no record in test."}}}
}

// TestGolden compares a small page, without what all pages have, with
// testdata/page.html.
func TestGolden(t *testing.T) {
	const file = "testdata/page.html"
	got := regexp.MustCompile(`(?s)<head>.*</head>\n|<script>.*</script>\n`).ReplaceAll(render(t, small()), nil)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the page is not %s; go test ./report -update writes it", file)
	}
}

// TestLinks has each link within a page lead to a section that is there.
func TestLinks(t *testing.T) {
	for name, p := range map[string]*report.Page{"bare": reporttest.Bare(), "typical": typical(t, 5)} {
		page := string(render(t, p))
		links := regexp.MustCompile(`href="?#([^" >]+)`).FindAllStringSubmatch(page, -1)
		for _, link := range links {
			if !regexp.MustCompile(`id="?` + regexp.QuoteMeta(link[1]) + `[" >]`).MatchString(page) {
				t.Errorf("%s: a link to #%s, which is not there", name, link[1])
			}
		}
		if len(links) < 3 {
			t.Errorf("%s: %d links", name, len(links))
		}
	}
}

// TestEmptyPages makes pages of datasets without records, features, or statistics.
func TestEmptyPages(t *testing.T) {
	p := reporttest.Bare()
	render(t, p)
	p.Statistics = nil
	p.Against, p.Run = &report.Change{}, &report.Run{Rates: make([]report.Rate, 9), Stages: make([]report.Stage, 2)}
	if page := render(t, p); !bytes.Contains(page, []byte("the records and the features are equal")) ||
		bytes.Contains(page, []byte("NaN")) {
		t.Error("the page of nothing is odd")
	}
	p.Manifest.Splits = nil
	render(t, p)
}

func BenchmarkPage(b *testing.B) {
	p := typical(b, 200)
	var dst []byte
	for b.Loop() {
		dst, _ = report.Append(dst[:0], p)
	}
	b.SetBytes(int64(len(dst)))
}
