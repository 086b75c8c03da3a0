package dsp

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

var update = flag.Bool("update", false, "write testdata/pillow.sums anew, as Pillow gives them (needs TFR_PYTHON)")

// A pillowCase is a file for testdata/pillow.py, and this package's result.
type pillowCase struct {
	name   string
	file   []byte
	tables []byte // next to a file to encode
	result []byte
}

// TestPillow compares results with pixels and coefficients of Pillow, stored in testdata.
func TestPillow(t *testing.T) {
	if *update {
		golden := pillow(t, pillowCases(1))
		if err := os.WriteFile("testdata/pillow.sums", []byte(golden), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("testdata/pillow.sums")
	if err != nil {
		t.Fatal(err)
	}
	compareSums(t, pillowCases(1), string(golden))
	if t.Failed() {
		t.Log("go test ./pixels/jpeg/internal/dsp -update writes what Pillow makes into pillow.sums")
	}
}

// TestPillowLive compares results with the installed Pillow, for more cases.
func TestPillowLive(t *testing.T) {
	tftest.Python(t) // skips
	cases := pillowCases(testenv.Times(1, 10, 100))
	compareSums(t, cases, pillow(t, cases))
}

func compareSums(t *testing.T, cases []pillowCase, want string) {
	t.Helper()
	sums := map[string]string{}
	for line := range strings.Lines(want) {
		name, sum, _ := strings.Cut(strings.TrimSpace(line), " ")
		sums[name] = sum
	}
	if len(sums) != len(cases) {
		t.Errorf("%d results for %d cases", len(sums), len(cases))
	}
	for _, c := range cases {
		if got := fmt.Sprintf("%x", sha256.Sum256(c.result))[:32]; got != sums[c.name] {
			t.Errorf("%s: %s, want %s", c.name, got, sums[c.name])
		}
	}
}

// pillow returns the output of the script for the cases.
func pillow(t *testing.T, cases []pillowCase) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range cases {
		write(c.name, c.file)
		if c.tables != nil {
			write(strings.TrimSuffix(c.name, filepath.Ext(c.name))+".json", c.tables)
		}
	}
	sums := filepath.Join(t.TempDir(), "sums")
	tftest.Run(t, "testdata/pillow.py", dir, sums)
	out, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// pillowCases are files of each kind, the more the larger times is.
func pillowCases(times int) (list []pillowCase) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20 * times {
		list = append(list, wildCase(rng, fmt.Sprintf("wild%03d.jpg", i)))
	}
	for i := range times {
		list = append(list, colorCase(rng, fmt.Sprintf("color%03d.jpg", i)))
	}
	for i := range times {
		for _, f := range [][2]int{{2, 1}, {2, 2}, {1, 2}} {
			for _, width := range []int{1, 2, 3, 4, 5, 6, 7, 30, 31, 32, 33, 61, 62, 63, 64, 65, 66, 67, 95, 128} {
				name := fmt.Sprintf("sampling%d%d-%03d-%02d.jpg", f[0], f[1], width, i)
				list = append(list, samplingCase(rng, name, f[0], f[1], width, 1+rng.IntN(40)))
			}
		}
	}
	for i := range 10 * times {
		list = append(list, encodeCase(rng, fmt.Sprintf("gray%03d", i), 1, 0))
	}
	for i := range 3 * times {
		list = append(list, encodeCase(rng, fmt.Sprintf("rgb%03d", i), 3, i%3))
	}
	return list
}

// wild fills a block with coefficients that no encoder would write, few or many,
// in the complete block or in its first row.
func wild(rng *rand.Rand, b *[64]int16) {
	size, many, end := rng.IntN(16), 1+rng.IntN(64), 64
	if rng.IntN(4) == 0 {
		end = 8
	}
	clear(b[:])
	for i := range end {
		if rng.IntN(64) < many {
			b[i] = max(int16(rng.Uint32())>>size, -1<<15+1)
		}
	}
}

// wildTable fills a quantization table with numbers of all sizes.
func wildTable(rng *rand.Rand, q *[64]uint16) {
	size := rng.IntN(16)
	for i := range q {
		q[i] = uint16(rng.Uint32()) >> size
	}
}

// wildCase is a grey image of wild blocks.
func wildCase(rng *rand.Rand, name string) pillowCase {
	p := plane{h: 1, v: 1, across: 8, blocks: make([][64]int16, 64)}
	wildTable(rng, &p.table)
	for i := range p.blocks {
		wild(rng, &p.blocks[i])
	}
	return pillowCase{name: name, file: file(64, 64, []plane{p}), result: p.samples()}
}

// noise is a plane of blocks across and down, with samples of all sizes.
func noise(rng *rand.Rand, h, v, across, down int) plane {
	p := plane{h: h, v: v, across: across, blocks: make([][64]int16, across*down)}
	for i := range p.table {
		p.table[i] = 8
	}
	for i := range p.blocks {
		p.blocks[i][0] = int16(rng.IntN(256) - 128)
		for range rng.IntN(20) {
			p.blocks[i][rng.IntN(64)] = int16(rng.IntN(101) - 50)
		}
	}
	return p
}

// colorCase is an image of all colours.
func colorCase(rng *rand.Rand, name string) pillowCase {
	const size = 32
	planes := []plane{noise(rng, 1, 1, size, size), noise(rng, 1, 1, size, size), noise(rng, 1, 1, size, size)}
	return pillowCase{name: name, file: file(8*size, 8*size, planes), result: pixels(8*size, 8*size, planes)}
}

// samplingCase is an image whose colours are sampled more coarsely than its
// luma, by these factors.
func samplingCase(rng *rand.Rand, name string, h, v, width, height int) pillowCase {
	across, down := (width+8*h-1)/(8*h), (height+8*v-1)/(8*v)
	planes := []plane{noise(rng, h, v, across*h, down*v), noise(rng, 1, 1, across, down),
		noise(rng, 1, 1, across, down)}
	return pillowCase{name: name, file: file(width, height, planes), result: pixels(width, height, planes)}
}

// samples are the samples of a plane, row after row.
func (p *plane) samples() []byte {
	stride := 8 * p.across
	pix := make([]byte, 64*len(p.blocks))
	for i := range p.blocks {
		at := i/p.across*8*stride + i%p.across*8
		InverseDCT(pix[at:], stride, &p.blocks[i], &p.table)
	}
	return pix
}

// pixels is the image that three planes make, RGB.
func pixels(width, height int, planes []plane) []byte {
	var full [3][]byte // each of height rows, stride apart
	h, v := planes[0].h, planes[0].v
	stride := 8 * planes[0].across
	full[0] = planes[0].samples()
	for i, p := range planes[1:] {
		w, rows := (width+h-1)/h, (height+v-1)/v
		coarse, pitch := p.samples(), 8*p.across
		row := func(y int) []byte { return coarse[min(max(y, 0), rows-1)*pitch:][:w] }
		full[1+i] = make([]byte, stride*(height+v))
		for y := range height {
			dst := full[1+i][y*stride:]
			near, far := y/v, y/v+2*(y%v)-1
			switch {
			case h == 2 && w <= 2:
				for x := range width {
					dst[x] = row(near)[x/2]
				}
			case h == 2 && v == 2:
				UpsampleH2V2(dst, row(near), row(far))
			case h == 2:
				UpsampleH2V1(dst, row(y))
			case v == 2:
				UpsampleH1V2(dst, row(near), row(far), y%2 == 1)
			default:
				copy(dst, row(y))
			}
		}
	}
	pix := make([]byte, 3*width*height)
	for y := range height {
		at := y * stride
		YCCToRGB(pix[3*width*y:][:3*width], full[0][at:], full[1][at:], full[2][at:])
	}
	return pix
}

// encodeCase is an image of noise to encode, with tables of all sizes.
func encodeCase(rng *rand.Rand, name string, channels, subsampling int) pillowCase {
	const width, height = 96, 48
	pix := make([]byte, width*height*channels)
	amount := 1 + rng.IntN(256)
	for i := range pix {
		pix[i] = byte(255*(i/channels/8&1) ^ rng.IntN(amount))
	}
	var tables [2][64]uint16
	for i := range tables {
		size := rng.IntN(13)
		for j := range tables[i] {
			tables[i][j] = 1 + uint16(rng.IntN(MaxQuantizer))>>size
		}
	}
	head, ending := "P5", ".pgm"
	if channels == 3 {
		head, ending = "P6", ".ppm"
	}
	settings, _ := json.Marshal(map[string]any{"subsampling": subsampling, "qtables": tables[:min(channels, 2)]})
	return pillowCase{
		name:   name + ending,
		file:   fmt.Appendf(nil, "%s %d %d 255\n%s", head, width, height, pix),
		tables: settings,
		result: coefficients(pix, width, height, channels, subsampling, &tables),
	}
}

// coefficients returns the coefficients of an image from the script.
func coefficients(pix []byte, width, height, channels, subsampling int, tables *[2][64]uint16) []byte {
	h, v := min(1+subsampling, 2), max(subsampling, 1)
	planes := [3][]byte{pix}
	if channels == 3 {
		for i := range planes {
			planes[i] = make([]byte, width*height)
		}
		RGBToYCC(planes[0], planes[1], planes[2], pix)
		for i, p := range planes[1:] {
			switch coarse := make([]byte, len(p)/h/v); subsampling {
			case 1:
				DownsampleH2V1(coarse, p)
				planes[1+i] = coarse
			case 2:
				for y := 0; y < height; y += 2 {
					DownsampleH2V2(coarse[y/2*width/2:][:width/2], p[y*width:], p[y*width+width:])
				}
				planes[1+i] = coarse
			}
		}
	} else {
		h, v = 1, 1
	}
	var out bytes.Buffer
	luma, chroma := NewDivisors(&tables[0]), NewDivisors(&tables[1])
	put := func(plane []byte, stride, x, y int, d *Divisors) {
		var b [64]int16
		ForwardDCT(&b, plane[8*y*stride+8*x:], stride, d)
		_ = binary.Write(&out, binary.LittleEndian, &b)
	}
	for y := range height / 8 / v {
		for x := range width / 8 / h {
			for i := range h * v {
				put(planes[0], width, x*h+i%h, y*v+i/h, luma)
			}
			for _, p := range planes[1:channels] {
				put(p, width/h, x, y, chroma)
			}
		}
	}
	return out.Bytes()
}
