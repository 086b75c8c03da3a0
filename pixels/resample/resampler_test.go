package resample_test

import (
	"bytes"
	"errors"
	"image"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pixels/resample"
)

// TestCrop checks that a cropped result is a part of the complete result.
func TestCrop(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var whole, part resample.Resampler
	var dst []byte
	for i := range testenv.Times(500, 2000, 100000) {
		s := randomSample(random, i)
		s.job.Filter = resample.Filter(i / 4 % int(resample.Area+1))
		src := s.pixels()
		all, err := whole.Resize(nil, src, s.job)
		if err != nil {
			t.Fatal(err)
		}
		s.job.Crop = randomPart(random, s.job)
		dst, err = part.Resize(dst, src, s.job)
		if err != nil {
			t.Fatal(err)
		}
		if want := cropped(all, s.job); !bytes.Equal(dst, want) {
			t.Errorf("%+v: another part than of the whole", s.job)
		}
	}
}

func randomPart(random *rand.Rand, j resample.Job) image.Rectangle {
	x, y := random.IntN(j.ToWidth), random.IntN(j.ToHeight)
	return image.Rect(x, y, x+1+random.IntN(j.ToWidth-x), y+1+random.IntN(j.ToHeight-y))
}

// cropped returns the part of a complete result that a job asks for.
func cropped(all []byte, j resample.Job) (part []byte) {
	for y := j.Crop.Min.Y; y < j.Crop.Max.Y; y++ {
		line := all[y*j.ToWidth*j.Channels:]
		part = append(part, line[j.Crop.Min.X*j.Channels:j.Crop.Max.X*j.Channels]...)
	}
	return part
}

// TestInvalidJobs checks which jobs are rejected.
func TestInvalidJobs(t *testing.T) {
	good := resample.Job{Channels: 3, Width: 4, Height: 4, ToWidth: 2, ToHeight: 2, Filter: resample.Box}
	for name, change := range map[string]func(j *resample.Job){
		"no channels":          func(j *resample.Job) { j.Channels = 0 },
		"five channels":        func(j *resample.Job) { j.Channels = 5 },
		"no width":             func(j *resample.Job) { j.Width = 0 },
		"no height":            func(j *resample.Job) { j.Height = -1 },
		"to no width":          func(j *resample.Job) { j.ToWidth = 0 },
		"to no height":         func(j *resample.Job) { j.ToHeight = 0 },
		"a side too long":      func(j *resample.Job) { j.Width = resample.MaxSide + 1 },
		"to a side too long":   func(j *resample.Job) { j.ToHeight = resample.MaxSide + 1 },
		"another filter":       func(j *resample.Job) { j.Filter = resample.Area + 1 },
		"a crop outside":       func(j *resample.Job) { j.Crop = image.Rect(1, 1, 3, 2) },
		"a crop before":        func(j *resample.Job) { j.Crop = image.Rect(-1, 0, 2, 2) },
		"pixels of other size": func(j *resample.Job) { j.Width = 5 },
	} {
		j := good
		change(&j)
		var r resample.Resampler
		if _, err := r.Resize(nil, make([]byte, 48), j); !errors.Is(err, resample.ErrJob) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLongAndThin resizes the longest possible sides, to and from one pixel.
func TestLongAndThin(t *testing.T) {
	long := 65535
	if testenv.Exhaustive() {
		long = resample.MaxSide
	}
	grey := bytes.Repeat([]byte{100}, long)
	for f := resample.Nearest; f <= resample.Area; f++ {
		var r resample.Resampler
		for _, j := range []resample.Job{
			{Channels: 1, Width: long, Height: 1, ToWidth: 1, ToHeight: 1},
			{Channels: 1, Width: 1, Height: long, ToWidth: 1, ToHeight: 1},
			{Channels: 1, Width: 1, Height: 1, ToWidth: long, ToHeight: 1},
			{Channels: 1, Width: 1, Height: 1, ToWidth: 1, ToHeight: long},
			{Channels: 1, Width: 1, Height: long, ToWidth: 1, ToHeight: 7},
			{Channels: 1, Width: long, Height: 1, ToWidth: long - 1, ToHeight: 3},
		} {
			j.Filter = f
			pix, err := r.Resize(nil, grey[:j.Width*j.Height], j)
			if err != nil || len(pix) != j.ToWidth*j.ToHeight {
				t.Fatalf("%+v: %d bytes, %v", j, len(pix), err)
			}
			for i, p := range pix {
				if p < 99 || p > 101 { // weights of many samples do not sum up to 1 exactly
					t.Fatalf("%+v: pixel %d is %d", j, i, p)
				}
			}
		}
	}
}

// TestSteadyState checks that jobs of repeated sizes allocate nothing.
func TestSteadyState(t *testing.T) {
	for f := resample.Nearest; f <= resample.Area; f++ {
		for channels := 1; channels <= 4; channels++ {
			var r resample.Resampler
			var dst []byte
			src := make([]byte, 50*70*4)
			run := func() {
				for _, to := range []int{20, 25, 90} {
					j := resample.Job{Channels: channels, Width: 50, Height: 70, ToWidth: to, ToHeight: to, Filter: f}
					dst, _ = r.Resize(dst, src[:50*70*channels], j)
				}
			}
			run()
			if n := testing.AllocsPerRun(10, run); n != 0 {
				t.Errorf("%v, %d channels: %v allocations", f, channels, n)
			}
		}
	}
}

func TestFilterNames(t *testing.T) {
	for f := resample.Nearest; f <= resample.Area; f++ {
		if got, ok := resample.ParseFilter(f.String()); !ok || got != f {
			t.Errorf("%v is parsed as %v, %v", f, got, ok)
		}
	}
	if _, ok := resample.ParseFilter("hamming"); ok {
		t.Error("hamming is a filter")
	}
}

func FuzzResize(f *testing.F) {
	f.Add([]byte("some bytes"), uint16(3), uint16(4), uint16(2), uint16(2), uint8(17))
	f.Add([]byte{255, 0}, uint16(65535), uint16(1), uint16(1), uint16(9), uint8(4))
	f.Fuzz(func(t *testing.T, seed []byte, w, h, toW, toH uint16, how uint8) {
		j := resample.Job{
			Channels: 1 + int(how%4), Width: 1 + int(w), Height: 1 + int(h), ToWidth: 1 + int(toW),
			ToHeight: 1 + int(toH),
			Filter:   resample.Filter(how / 4 % 6),
		}
		if len(seed) == 0 || j.Width*j.Height > 1<<16 || j.ToWidth*j.ToHeight > 1<<16 || j.Width*j.ToHeight > 1<<20 ||
			j.ToWidth*j.Height > 1<<20 {
			return
		}
		src := bytes.Repeat(seed, j.Width*j.Height*j.Channels/len(seed)+1)[:j.Width*j.Height*j.Channels]
		before := bytes.Clone(src)
		var r resample.Resampler
		all, err := r.Resize(nil, src, j)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(src, before) {
			t.Fatal("the source was changed")
		}
		random := rand.New(rand.NewPCG(uint64(how), uint64(w)))
		j.Crop = randomPart(random, j)
		part, err := r.Resize(nil, src, j)
		if err != nil || !bytes.Equal(part, cropped(all, j)) {
			t.Fatalf("%+v: another part than of the whole, %v", j, err)
		}
	})
}
