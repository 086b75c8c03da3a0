package jpeg_test

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/jpeg"
)

// An original is an image to encode, with its options.
type original struct {
	width, height, channels int
	pix                     []byte
	options                 jpeg.Options
}

func (o original) String() string {
	return fmt.Sprintf("%d x %d x %d, %+v", o.width, o.height, o.channels, o.options)
}

// originals returns n images: all sizes of 1 to 40, each quality, each subsampling, optimized or
// not, gray and color, smooth, plain, and noisy. They are the same in every run.
func originals(n int) (list []original) {
	random := rand.New(rand.NewPCG(1, 95))
	for i := range n {
		o := original{width: i%40 + 1, height: 1 + random.IntN(40), channels: 3}
		o.options = jpeg.Options{Quality: 1 + i*37%100, Subsampling: jpeg.Subsampling(i % 3), Optimize: i/3%2 == 1}
		if i%29 == 28 {
			o.width, o.height = 60+random.IntN(140), 60+random.IntN(140)
		}
		if random.IntN(6) == 0 {
			o.channels = 1
		}
		o.pix = paint(random, o.width, o.height, o.channels)
		list = append(list, o)
	}
	return list
}

// paint makes an image.
func paint(random *rand.Rand, width, height, channels int) []byte {
	pix := make([]byte, width*height*channels)
	var base, right, down [3]int
	for c := range base {
		base[c], right[c], down[c] = random.IntN(256), random.IntN(9)-4, random.IntN(9)-4
	}
	noise := []int{0, 8, 64, 512}[random.IntN(4)]
	for i := range pix {
		c, x, y := i%channels, i/channels%width, i/channels/width
		v := base[c] + right[c]*x + down[c]*y
		if noise > 0 {
			v += random.IntN(2*noise) - noise
		}
		pix[i] = byte(min(max(v, 0), 255))
	}
	return pix
}

// goldenOriginals is the number of originals in the golden file.
const goldenOriginals = 600

// askPillow returns the CRCs of the files that Pillow writes.
func askPillow(t *testing.T, list []original) []string {
	t.Helper()
	var samples []sample
	for _, o := range list {
		optimize := 0
		if o.options.Optimize {
			optimize = 1
		}
		subsampling := 2 - int(o.options.Subsampling) // as Pillow counts them
		line := fmt.Sprintln(o.width, o.height, o.channels, o.options.Quality, subsampling, optimize)
		samples = append(samples, sample{data: append([]byte(line), o.pix...)})
	}
	return askPython(t, "testdata/encode.py", samples)
}

// checkFiles compares the files of an Encoder with CRCs.
func checkFiles(t *testing.T, list []original, want []string) {
	t.Helper()
	var e jpeg.Encoder
	prefix := []byte("prefix")
	file := prefix
	for i, o := range list {
		var err error
		file, err = e.Append(file[:len(prefix)], o.pix, o.width, o.height, o.channels, &o.options)
		if err != nil {
			t.Errorf("%v: %v", o, err)
		}
		if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE(file[len(prefix):])); got != want[i] {
			t.Errorf("%v: %s, Pillow writes %s", o, got, want[i])
		}
	}
	if !bytes.HasPrefix(file, prefix) {
		t.Errorf("appending changed what was there: %q", file[:len(prefix)])
	}
}

// TestBytesEqualPillow compares the files of the Encoder with Pillow's, byte for byte.
func TestBytesEqualPillow(t *testing.T) {
	tftest.Python(t) // skips
	list := originals(testenv.Times(goldenOriginals, 2000, 50000))
	photo, err := new(jpeg.Decoder).Decode(readPhotos(t)[0].data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range testenv.Times(2, 12, 300) {
		list = append(list, original{
			width: photo.Width, height: photo.Height, channels: 3, pix: photo.Pix,
			options: jpeg.Options{Quality: 100 - 7*i%100, Subsampling: jpeg.Subsampling(i % 3), Optimize: i%2 == 1},
		})
	}
	files := askPillow(t, list)
	if *update {
		golden := strings.Join(files[:goldenOriginals], "\n") + "\n"
		if err := os.WriteFile("testdata/encoded.golden", []byte(golden), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	checkFiles(t, list, files)
}

// TestFiles compares the files of the Encoder with the golden file, which has Pillow's. It needs
// no Python.
func TestFiles(t *testing.T) {
	f, err := os.Open("testdata/encoded.golden")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var want []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		want = append(want, lines.Text())
	}
	if len(want) != goldenOriginals {
		t.Fatalf("%d lines in the golden file, expected %d", len(want), goldenOriginals)
	}
	checkFiles(t, originals(goldenOriginals), want)
	if t.Failed() {
		t.Log("go test ./pixels/jpeg -update writes what Pillow makes into encoded.golden")
	}
}

// TestDefaults checks the meaning of the zero Options.
func TestDefaults(t *testing.T) {
	o := originals(5)[4]
	var e jpeg.Encoder
	want, err := e.Append(nil, o.pix, o.width, o.height, o.channels, &jpeg.Options{Quality: 75})
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range []*jpeg.Options{nil, {}} {
		if got, err := e.Append(nil, o.pix, o.width, o.height, o.channels, options); err != nil ||
			!bytes.Equal(got, want) {
			t.Errorf("%v: not what quality 75 with 4:2:0 gives: %v", options, err)
		}
	}
}

// TestNoImage checks the errors of images that cannot be encoded.
func TestNoImage(t *testing.T) {
	for _, c := range []struct {
		size                    int
		width, height, channels int
		options                 jpeg.Options
		want                    string
	}{
		{0, 0, 5, 3, jpeg.Options{}, "jpeg: 0 x 5 cannot be encoded: a side is 1 to 65500"},
		{65501 * 3, 65501, 1, 3, jpeg.Options{}, "jpeg: 65501 x 1 cannot be encoded: a side is 1 to 65500"},
		{4, 1, 1, 4, jpeg.Options{}, "jpeg: 4 channels cannot be encoded, but 1 and 3"},
		{5, 1, 2, 3, jpeg.Options{}, "jpeg: 5 bytes of pixels, 1 x 2 x 3 are expected"},
		{3, 1, 1, 3, jpeg.Options{Quality: 101}, "jpeg: quality 101 is not 1 to 100"},
		{3, 1, 1, 3, jpeg.Options{Quality: -1}, "jpeg: quality -1 is not 1 to 100"},
		{3, 1, 1, 3, jpeg.Options{Subsampling: 3}, "jpeg: subsampling 3 is not known"},
	} {
		dst := []byte("before")
		got, err := new(jpeg.Encoder).Append(dst, make([]byte, c.size), c.width, c.height, c.channels, &c.options)
		if err == nil || err.Error() != c.want || !slices.Equal(got, dst) {
			t.Errorf("%v, expected %s", err, c.want)
		}
	}
}

// TestLongCodes compares Huffman tables that would have codes of more than 16 bits with those of
// libjpeg's jpeg_gen_optimal_table.
func TestLongCodes(t *testing.T) {
	var often [256]int
	for i, a, b := 0, 1, 1; i < 22; i, a, b = i+1, b, a+b {
		often[3*i] = a
	}
	often[200], often[201] = 1, 1
	lengths, symbols := jpeg.Codebook(often)
	if want := [16]uint8{1: 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 1}; lengths != want {
		t.Errorf("lengths %v, expected %v", lengths, want)
	}
	want := []uint8{60, 63, 54, 57, 48, 51, 42, 45, 36, 39, 30, 33, 24, 27, 18, 21, 12, 15, 6, 9, 0, 3, 200, 201}
	if !slices.Equal(symbols, want) {
		t.Errorf("symbols %v, expected %v", symbols, want)
	}
	for i, a, b := 0, 1, 1; i < 20; i, a, b = i+1, b, a+2*b {
		often[2*i], often[2*i+1] = a, a
	}
	clear(often[40:])
	lengths, _ = jpeg.Codebook(often)
	if want := [16]uint8{0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 0, 15}; lengths != want {
		t.Errorf("lengths %v, expected %v", lengths, want)
	}
}
