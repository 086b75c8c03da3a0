package resample_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/resample"
)

// A sample is a case of testdata/peers.py.
type sample struct {
	kind, seed string
	job        resample.Job
	digest     string
}

func (s sample) String() string {
	j := s.job
	return fmt.Sprintln(s.kind, s.seed, j.Channels, j.Width, j.Height, j.ToWidth, j.ToHeight, j.Filter, s.digest)
}

// pixels returns the bytes that peers.py generates, too.
func (s sample) pixels() []byte {
	pix := sha3.SumSHAKE128([]byte(s.seed), s.job.Width*s.job.Height*s.job.Channels)
	if s.kind == "extreme" {
		for i := range pix {
			pix[i] = (pix[i] & 1) * 255
		}
	}
	return pix
}

// resized is the sample with the digest of the package's result.
func (s sample) resized(t *testing.T, r *resample.Resampler) sample {
	t.Helper()
	pix, err := r.Resize(nil, s.pixels(), s.job)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(pix)
	s.digest = fmt.Sprintf("%x", sum[:8])
	return s
}

func parse(t *testing.T, line string) (s sample) {
	t.Helper()
	var name string
	j := &s.job
	if _, err := fmt.Sscan(line, &s.kind, &s.seed, &j.Channels, &j.Width, &j.Height, &j.ToWidth, &j.ToHeight, &name,
		&s.digest); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	j.Filter, _ = resample.ParseFilter(name)
	return s
}

// TestGolden compares results with digests of Pillow and OpenCV, which testdata/peers.py wrote.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/peers.golden")
	if err != nil {
		t.Fatal(err)
	}
	var r resample.Resampler
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		want := parse(t, lines.Text())
		if got := want.resized(t, &r); got != want {
			t.Errorf("got %swant %s", got, want)
		}
	}
	if t.Failed() {
		t.Log("testdata/peers.py writes peers.golden")
	}
}

// TestPeers resizes at random, and compares the results with the installed Pillow and OpenCV.
func TestPeers(t *testing.T) {
	tftest.Python(t) // skips
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	var r resample.Resampler
	for i := range testenv.Times(600, 2400, 100000) {
		text.WriteString(randomSample(random, i).resized(t, &r).String())
	}
	file := filepath.Join(t.TempDir(), "cases")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	tftest.Run(t, "testdata/peers.py", file)
}

func randomSample(random *rand.Rand, i int) sample {
	side := func() int { return 1 + int(random.ExpFloat64()*60) }
	s := sample{kind: []string{"noise", "extreme"}[random.IntN(2)], seed: fmt.Sprint("seed", i)}
	s.job = resample.Job{
		Channels: 1 + i%4, Width: side(), Height: side(), ToWidth: side(), ToHeight: side(),
		Filter: resample.Filter(random.IntN(int(resample.Area) + 1)),
	}
	switch random.IntN(8) { // sizes that libraries treat apart
	case 0:
		s.job.ToWidth = s.job.Width
	case 1:
		s.job.ToHeight = s.job.Height
	case 2:
		s.job.Width, s.job.Height = 2*s.job.ToWidth, 2*s.job.ToHeight
	case 3:
		s.job.Width, s.job.Height = (1+random.IntN(5))*s.job.ToWidth, (1+random.IntN(5))*s.job.ToHeight
	case 4:
		s.job.Height = 1 + random.IntN(1000)
	case 5: // at the border between the two orders of passes
		s.job.Width, s.job.ToWidth = max(s.job.Width, s.job.ToWidth), min(s.job.Width, s.job.ToWidth)
		s.job.Height = s.job.ToHeight + 2*(s.job.Width-s.job.ToWidth) + random.IntN(2)
	}
	if i%100 == 99 { // large ones, also to a single pixel, for which area sums integers up
		s.job.Width, s.job.Height = 200+random.IntN(300), 200+random.IntN(300)
		if i%200 == 199 {
			s.job.ToWidth, s.job.ToHeight = 1, 1
		}
	}
	return s
}
