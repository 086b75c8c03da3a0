package report

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
	"tfr-build/statistics"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{clean("plain", 5), "plain"},
		{clean("plainer", 5), "plain…"},
		{clean("ü€", 2), "ü€"},
		{clean("a\x00\x1b\n", 9), `a\x00\x1b\n`},
		{clean("\u202ea\u2066\u200b\ufeff", 9), `\u202ea\u2066\u200b\ufeff`},
		{clean("\xffa\xc3", 9), `\xffa\xc3`},
		{clean("\ufffd", 9), "\ufffd"},
		{clean(`"\`, 9), `"\`},
		{Grouped(0), "0"}, {Grouped(999), "999"}, {Grouped(-1000), "−1,000"}, {Grouped(1000), "1,000"},
		{Grouped(1234567), "1,234,567"}, {Grouped(12_345_678), "12,345,678"},
		{size(1), "1 byte"}, {size(999), "999 bytes"}, {size(999_949), "999.9 kB"}, {size(999_950), "1.0 MB"},
		{size(math.MaxInt64), "9.2 EB"},
		{share(0, 0), "0%"}, {share(1, 1000), "0.10%"}, {share(1, 3), "33.3%"}, {share(9999, 10000), "> 99.9%"},
		{share(3, 3), "100%"}, {share(1, 1e6), "< 0.01%"},
		{number(0.1), "0.1"}, {number(-12345), "−12,345"}, {number(1234.5678), "1234.6"}, {number(123456.7), "123,460"},
		{number(0.000012), "1.2e-5"}, {string(appendRounded(nil, 252431)), "252,400"},
		{string(appendRounded(nil, 1207)), "1207"}, {string(appendRounded(nil, -0.5)), "−0.5"}, {number(0), "0"},
		{number(-1.5e-9), "−1.5e-9"}, {number(2e300), "2e300"}, {string(appendRounded(nil, 15.955)), "15.96"},
		{number(math.Inf(1)), "∞"}, {number(math.Inf(-1)), "−∞"}, {number(math.NaN()), "NaN"},
		{string(appendExact(nil, "9223372036854775807")), "9,223,372,036,854,775,807"},
		{string(appendExact(nil, "<b>")), "–"}, {string(appendExact(nil, "-0.25")), "−0.25"},
		{count(1, "class"), "1 class"}, {count(2000, "class"), "2,000 classes"}, {count(0, "row"), "0 rows"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestLinesOfConfig(t *testing.T) {
	v := viewConfig([]byte("# a\r\nb:\tc\x1b\n"))
	want := []configLine{{"# a\n", true}, {"b:\tc\\x1b\n", false}}
	if !slices.Equal(v.Lines, want) || v.Cut != "" {
		t.Errorf("%v", v)
	}
	if v := viewConfig([]byte(strings.Repeat("x: y\n", maxConfig))); v.Cut == "" || len(v.Lines) > maxConfig/5+1 {
		t.Errorf("%d lines, %q", len(v.Lines), v.Cut)
	}
}

func TestLog2(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 7, 10, 1000, 999_999, 1 << 40, math.MaxInt64} {
		if want := math.Log2(float64(n)) * logUnit; math.Abs(float64(log2(n))-want) > 1.01 {
			t.Errorf("log2(%d) = %d, want %.1f", n, log2(n), want)
		}
	}
}

// TestRoundedSteps takes the powers of the root of two, however they were rounded.
func TestRoundedSteps(t *testing.T) {
	for k := 4; k < 50; k++ {
		exact := math.Pow(2, float64(k)/2)
		for _, size := range []float64{math.Floor(exact), math.Ceil(exact), math.Round(exact)} {
			if got := step(int64(size)); got != k {
				t.Errorf("step(%g) = %d, want %d", size, got, k)
			}
		}
	}
}

func TestAppendTenths(t *testing.T) {
	for n, want := range map[int]string{0: "0", 5: "0.5", 10: "1", 1234: "123.4", -15: "-1.5"} {
		if got := string(appendTenths(nil, n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 5: "0.005", 500: "0.5", 7500: "7.5", 2143: "2.143"} {
		if got := string(appendThousandths(nil, n)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestLargestAndSmallestClasses compares the largest and smallest classes with sorting all of them.
func TestLargestAndSmallestClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	f := &statistics.Feature{Classes: make([]string, 300), Splits: make([]statistics.Values, 2)}
	var sorted []int
	for class := range f.Classes {
		sorted = append(sorted, class)
		for s := range f.Splits {
			f.Splits[s].ByClass = append(f.Splits[s].ByClass, r.Int64N(40))
		}
	}
	b := newBalance(f)
	slices.SortStableFunc(sorted, func(x, y int) int { return cmp.Compare(b.count(y), b.count(x)) })
	if got := b.ends(20, false); !slices.Equal(got, sorted[:20]) {
		t.Errorf("largest %v, want %v", got, sorted[:20])
	}
	if got := b.ends(20, true); !slices.Equal(got, sorted[280:]) {
		t.Errorf("smallest %v, want %v", got, sorted[280:])
	}
}

// TestTurnBoxes paints a box into an image, and turns both.
func TestTurnBoxes(t *testing.T) {
	const width, height = 20, 10
	box := [4]float64{2. / width, 3. / height, 7. / width, 5. / height}
	var m, turned raster.Image
	m.Reshape(width, height, 1)
	for i := range m.Pix {
		m.Pix[i] = 0
		if x, y := i%width, i/width; x >= 2 && x < 7 && y >= 3 && y < 5 {
			m.Pix[i] = 1
		}
	}
	for orientation := 1; orientation <= 8; orientation++ {
		raster.Turn(&turned, &m, orientation)
		got := turnBoxes([][4]float64{box}, orientation)[0]
		for i, p := range turned.Pix {
			x, y := float64(i%turned.Width)+0.5, float64(i/turned.Width)+0.5
			x, y = x/float64(turned.Width), y/float64(turned.Height)
			if inside := x > got[0] && x < got[2] && y > got[1] && y < got[3]; inside != (p == 1) {
				t.Fatalf("orientation %d: the box %v is not where its pixels are", orientation, got)
			}
		}
	}
}

// TestAverage compares the averages with those made pixel by pixel.
func TestAverage(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i, size := range [][4]int{{100, 60, 96, 58}, {7, 5, 7, 5}, {1, 900, 1, 96}, {333, 222, 144, 96},
		{3, 40000, 1, 96}, {333, 222, 144, 96}} {
		channels := 3 - i%2*2
		var src, dst raster.Image
		src.Reshape(size[0], size[1], channels)
		for i := range src.Pix {
			src.Pix[i] = byte(r.Uint32()) | 0x80 // so bright that sums are large
		}
		average(&dst, &src, size[2], size[3])
		for i, got := range dst.Pix {
			x, y, c := i/channels%size[2], i/channels/size[2], i%channels
			var sum, n int
			for row := y * size[1] / size[3]; row < (y+1)*size[1]/size[3]; row++ {
				for col := x * size[0] / size[2]; col < (x+1)*size[0]/size[2]; col++ {
					sum, n = sum+int(src.Pix[(row*size[0]+col)*channels+c]), n+1
				}
			}
			if want := (2*sum + n) / (2 * n); int(got) != want {
				t.Fatalf("%v at %d: %d, want %d", size, i, got, want)
			}
		}
	}
}

func TestSmallSize(t *testing.T) {
	for _, c := range [][4]int{{640, 480, 128, 96}, {28, 28, 28, 28}, {4000, 100, 192, 4}, {100, 40000, 1, 96},
		{90000, 1, 192, 1}, {1, 1, 1, 1}} {
		if w, h := smallSize(c[0], c[1], ThumbHeight); w != c[2] || h != c[3] {
			t.Errorf("%d × %d becomes %d × %d, want %d × %d", c[0], c[1], w, h, c[2], c[3])
		}
	}
}

// TestOutline counts the pixels that a path goes up and to the right.
func TestOutline(t *testing.T) {
	counted := func(counts ...int64) (bins []statistics.Bin) {
		for i, n := range counts {
			bins = append(bins, statistics.Bin{Low: float64(i), High: float64(i + 1), Count: n})
		}
		return bins
	}
	s := series{split: 1, bins: counted(0, 4, 4, 1, 0)}
	want := `<path class="o s1" d="M-.5 0h1v64h2v-48h1v-16h1V0"/>`
	if got := string(appendOutline(nil, "o", s, 4./9)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.split = 0
	if got := most([]series{s, {bins: counted(0, 0, 9)}}); got != 8./9 {
		t.Errorf("the scale ends at %g: a spike of another split flattens the first one", got)
	}
	want = `<path class="b s0" stroke-width="0.988" d="M1 0V64M2 0V64M3 0V16"/>`
	if got := string(appendColumns(nil, s, 4./9)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestQuotas(t *testing.T) {
	for want, records := range map[string][]int64{"36": {9}, "18 9 9": {9, 9, 9}, "0 18 18": {0, 9, 9}, "0": {0},
		"18 6 6 6": {1, 1, 1, 1}} {
		var got []string
		for _, n := range quotas(records, 36) {
			got = append(got, strconv.Itoa(n))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %v, want %s", records, got, want)
		}
	}
}

// TestBoxesAreSeen has one box of an image of 200 by 100 pixels in each layout and unit, stored and turned.
func TestBoxesAreSeen(t *testing.T) {
	for _, c := range []struct {
		layout, unit string
		numbers      []float64
	}{
		{"xyxy", "relative", []float64{0.1, 0.2, 0.4, 0.6}}, {"xyxy", "pixel", []float64{20, 20, 80, 60}},
		{"xywh", "relative", []float64{0.1, 0.2, 0.3, 0.4}}, {"xywh", "pixel", []float64{20, 20, 60, 40}},
		{"cxcywh", "relative", []float64{0.25, 0.4, 0.3, 0.4}}, {"cxcywh", "pixel", []float64{50, 40, 60, 40}},
		{"yxyx", "relative", []float64{0.2, 0.1, 0.6, 0.4}}, {"yxyx", "pixel", []float64{20, 20, 60, 80}},
	} {
		list := BoxList{Keys: []string{"b"}, Layout: c.layout, Unit: c.unit}
		stored := header.Info{Width: 200, Height: 100, Orientation: 1}
		turned := header.Info{Width: 100, Height: 200, Orientation: 6} // stored: 100 by 200, turned to the right
		for _, test := range []struct {
			name     string
			isTurned bool
			info     *header.Info
		}{{"stored", false, &stored}, {"turned", true, &turned}} {
			list.IsTurned = test.isTurned
			r := boxReader{of: &list}
			r.numbers[0] = append(slices.Clone(c.numbers), math.NaN(), 0, 1, 1, 5, 5)
			got := r.seen(test.info)
			if len(got) != 1 || !near(got[0], [4]float64{0.1, 0.2, 0.4, 0.6}) {
				t.Errorf("%s in %s, %s: %v", c.layout, c.unit, test.name, got)
			}
		}
	}
	list := BoxList{Keys: []string{"b"}, Layout: "xyxy", Unit: "pixel"}
	r := boxReader{of: &list}
	r.numbers[0] = []float64{0, 0, 50, 20} // of the stored image, whose left is the top of the seen one
	if got := r.seen(&header.Info{Width: 100, Height: 200, Orientation: 6}); len(got) != 1 ||
		!near(got[0], [4]float64{0.9, 0, 1, 0.5}) {
		t.Errorf("turned: %v", got)
	}
}

func near(a, b [4]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			return false
		}
	}
	return true
}

// TestUnitOf decides the unit of boxes by all numbers of a dataset.
func TestUnitOf(t *testing.T) {
	for _, c := range []struct {
		list     message.List
		min, max json.Number
		want     string
	}{
		{message.FloatList, "0", "1", "relative"}, {message.FloatList, "0.25", "0.5", "relative"},
		{message.FloatList, "-0.001", "1", ""}, {message.FloatList, "0", "1.002", ""},
		{message.FloatList, "0", "10", ""},
		{message.FloatList, "0", "10.5", "pixel"}, {message.FloatList, "-3", "640", "pixel"},
		{message.Int64List, "0", "2", "pixel"}, {message.Int64List, "0", "1", "relative"},
	} {
		f := statistics.Feature{List: c.list, Splits: []statistics.Values{{},
			{Numbers: &statistics.Numbers{Finite: 2, Min: c.min, Max: c.max}}}}
		if got := unitOf([]*statistics.Feature{&f}); got != c.want {
			t.Errorf("%s from %s to %s: %q, want %q", c.list, c.min, c.max, got, c.want)
		}
	}
	if got := unitOf([]*statistics.Feature{{}}); got != "" {
		t.Errorf("without numbers: %q", got)
	}
}
