package report

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"maps"
	"math/bits"
	"slices"
	"strconv"

	"tfr-build/internal/bug"
	"tfr-build/internal/plural"
	"tfr-build/statistics"
)

// How much of images is shown.
const (
	maxImageFeatures = 3
	maxThumbs        = 60
	maxKinds         = 8 // formats, colors
)

// A thumbGroup is the thumbnails of one class.
type thumbGroup struct {
	Class  string // empty: they have none
	Thumbs []thumbView
}

// A thumbView is a thumbnail.
type thumbView struct {
	Src           template.URL // empty: it could not be decoded
	Alt           string
	File, Size    string // empty: not known
	Color         int
	Width, Height int // that it is shown with
	IsTiny        bool
	Boxes         template.HTML
}

// viewThumbs groups the thumbnails by class, in the order of the names.
func viewThumbs(p *Page) (groups []thumbGroup) {
	if !p.Values {
		return nil
	}
	byClass := map[string][]thumbView{}
	for _, t := range p.Thumbs[:min(len(p.Thumbs), maxThumbs)] {
		class := clean(t.Class, maxValue)
		byClass[class] = append(byClass[class], viewThumb(p, &t))
	}
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		groups = append(groups, thumbGroup{class, byClass[class]})
	}
	return groups
}

func viewThumb(p *Page, t *Thumb) thumbView {
	v := thumbView{Alt: thumbAlt(t), File: cleanEnds(lastPart(t.File), 40, false), Width: ThumbHeight,
		Height: ThumbHeight}
	for i, s := range p.Manifest.Splits {
		if s.Name == t.Split {
			v.Color = color(i)
		}
	}
	if len(t.JPEG) > 0 {
		v.Src = source(t.JPEG)
		v.Width = min(max(ThumbHeight*t.Width/max(t.Height, 1), ThumbHeight/3), 2*ThumbHeight)
		v.IsTiny = t.Height < ThumbHeight
		v.Boxes = drawBoxes(t.Boxes)
		v.Size = strconv.Itoa(t.Width) + " × " + strconv.Itoa(t.Height) + t.more()
	}
	return v
}

// source is a thumbnail as the address of an image.
func source(jpg []byte) template.URL {
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(jpg))
}

func thumbAlt(t *Thumb) string {
	text := clean(t.Split, maxName)
	if t.Class != "" {
		text = clean(t.Class, maxValue) + ": " + text
	}
	if t.Record >= 0 {
		text += ", record " + Grouped(t.Record)
	}
	if t.Shard != "" {
		text += " of " + clean(t.Shard, maxName)
	}
	if len(t.JPEG) == 0 {
		return text + ": not shown"
	}
	text += ": " + strconv.Itoa(t.Width) + " × " + strconv.Itoa(t.Height)
	switch n := len(t.Boxes); {
	case n == 1:
		text += ", 1 box"
	case n > 1:
		text += ", " + strconv.Itoa(n) + " boxes"
	}
	if t.More > 0 {
		text += ", and " + plural.Of(t.More, "more image")
	}
	return text
}

// drawBoxes draws boxes in a square of 1,000, which is then stretched.
func drawBoxes(boxes [][4]float64) template.HTML {
	var dst []byte
	for _, b := range boxes {
		x0, y0, x1, y1 := scaled(b[0], 1, 1000), scaled(b[1], 1, 1000), scaled(b[2], 1, 1000), scaled(b[3], 1, 1000)
		dst = append(dst, 'M')
		dst = strconv.AppendInt(dst, int64(x0), 10)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(y0), 10)
		dst = append(dst, 'H')
		dst = strconv.AppendInt(dst, int64(x1), 10)
		dst = append(dst, 'V')
		dst = strconv.AppendInt(dst, int64(y1), 10)
		dst = append(dst, 'H')
		dst = strconv.AppendInt(dst, int64(x0), 10)
		dst = append(dst, 'z')
	}
	if len(dst) == 0 {
		return ""
	}
	return template.HTML(`<path class="w" d="` + string(dst) + `"/><path class="e" d="` + string(dst) + `"/>`)
}

// An imageView is what is known of the images of one feature.
type imageView struct {
	Key           string
	Number        int
	Scatter       template.HTML
	Width, Height int // of the scatter
	ScatterLabel  string
	OneSize       string // a sentence in place of the scatter
	Kinds         []kindsView
	Sizes         []sizeView
	Unreadable    string
}

// A kindsView is how often images are of each kind.
type kindsView struct {
	Name string
	Rows []rejectView
}

// A sizeView is the sizes of the images of one split.
type sizeView struct {
	Split                splitView
	Images               string
	Width, Height, Bytes string // from, median, to
}

func viewImages(d *statistics.Document) (list []imageView) {
	for i := range d.Features {
		if f := &d.Features[i]; f.Kind == statistics.Image && len(list) < maxImageFeatures {
			list = append(list, viewImage(d, f, i))
		}
	}
	return list
}

func viewImage(d *statistics.Document, f *statistics.Feature, number int) imageView {
	defer bug.Name(f.Key)
	v := imageView{Key: clean(f.Key, maxName), Number: number}
	formats, spaces, channels, cells := map[string]int64{}, map[string]int64{}, map[string]int64{}, map[[2]int]int64{}
	var unreadable int64
	for i, s := range f.Splits {
		if s.Images == nil {
			continue
		}
		addTop(formats, s.Images.Formats)
		addTop(spaces, s.Images.Colorspaces)
		addTop(channels, s.Images.Channels)
		for _, c := range s.Images.Grid {
			cells[[2]int{step(c.Width), step(c.Height)}] += c.Count
		}
		unreadable += s.Images.Unreadable
		if i < maxSplits {
			v.Sizes = append(v.Sizes, sizeView{
				Split:  splitView{Name: clean(d.Splits[i].Name, maxName), Color: color(i)},
				Images: Grouped(s.Count), Width: span(&s.Images.Width), Height: span(&s.Images.Height),
				Bytes: spanOfBytes(s.Sizes),
			})
		}
	}
	v.Kinds = []kindsView{{"Format", kinds(formats)}, {"Colors", kinds(spaces)}, {"Channels", kinds(channels)}}
	if unreadable > 0 {
		v.Unreadable = Grouped(unreadable) + " of the values are not readable images."
	}
	if v.OneSize = oneSize(f); v.OneSize == "" {
		v.scatter(cells)
	}
	return v
}

// oneSize says that all images have one size; it is empty where they have not.
func oneSize(f *statistics.Feature) string {
	_, width, height, one := f.ImageSize()
	if !one {
		return ""
	}
	return "All images are " + string(appendExact(nil, width)) + " × " + string(appendExact(nil, height)) + " pixels."
}

func addTop(all map[string]int64, list []statistics.Top) {
	for _, t := range list {
		all[t.Value] += t.Count
	}
}

// kinds lists counts, the largest first.
func kinds(of map[string]int64) (rows []rejectView) {
	var total int64
	var names []string
	for name, n := range of {
		total += n
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) })
	for _, name := range names[:min(len(names), maxKinds)] {
		n := of[name]
		rows = append(rows, rejectView{clean(name, maxValue), Grouped(n), share(n, total),
			scaled(float64(n), float64(total), 100)})
	}
	return rows
}

// span is the least number, the median and the largest.
func span(n *statistics.Numbers) string {
	if n == nil || n.Finite == 0 {
		return none
	}
	dst := appendExact(nil, n.Min)
	if n.Min == n.Max {
		return string(dst)
	}
	dst = append(dst, " – "...)
	if len(n.Quantiles) > statistics.At50 {
		dst = append(appendRounded(dst, n.Quantiles[statistics.At50]), " – "...)
	}
	return string(appendExact(dst, n.Max))
}

// spanOfBytes is span with units.
func spanOfBytes(n *statistics.Numbers) string {
	if n == nil || n.Finite == 0 {
		return none
	}
	text := func(v json.Number) string {
		f, err := v.Float64()
		if err != nil || !(f >= 0 && f < 1<<62) {
			return none
		}
		return size(int64(f))
	}
	if n.Min == n.Max {
		return text(n.Min)
	}
	middle := " – "
	if len(n.Quantiles) > statistics.At50 {
		middle += text(json.Number(strconv.FormatFloat(n.Quantiles[statistics.At50], 'f', 0, 64))) + " – "
	}
	return text(n.Min) + middle + text(n.Max)
}

// step is which power of the root of two a size is, whichever way it was rounded:
// the logarithm of its square, rounded to the nearest.
func step(size int64) int {
	square := uint64(min(max(size, 1), 1<<31))
	square *= square
	high, low := bits.Mul64(square, square) // the fourth power; doubled, its logarithm is twice, and one more
	n := bits.Len64(low)
	if high > 0 {
		n = 64 + bits.Len64(high)
	}
	return n / 2
}
