// Codec prints the CPU time that one step of a conversion takes for photos: to decode
// them all, to resize the shorter side to 256 pixels by a filter, or to encode them
// with quality 95 and 4:2:0.
//
//	go -C lab run ./bench/codec decode ../.bench/pictures
//
// The processor's vectors are left aside with GODEBUG=cpu.avx2=off.
package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tfr-build/pixels/jpeg"
	"tfr-build/pixels/resample"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "codec:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: codec decode|encode|FILTER DIR")
	}
	files, err := filepath.Glob(filepath.Join(args[1], "*"))
	if err != nil {
		return err
	}
	var c codec
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := c.run(args[0], data); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	fmt.Printf("CPU %.6f wall %.6f\n", c.cpu.Seconds(), c.wall.Seconds())
	return nil
}

// A codec adds up the time of its step.
type codec struct {
	cpu, wall time.Duration
	decoder   jpeg.Decoder
	resampler resample.Resampler
	encoder   jpeg.Encoder
	result    []byte
}

func (c *codec) run(step string, data []byte) (err error) {
	var photo *jpeg.Image
	decode := func() {
		photo, err = c.decoder.Decode(data)
	}
	if step == "decode" {
		c.time(decode)
		return err
	}
	if decode(); err != nil {
		return err
	}
	if step == "encode" {
		c.time(func() {
			options := jpeg.Options{Quality: 95, Subsampling: jpeg.Subsampling420}
			c.result, err = c.encoder.Append(c.result[:0], photo.Pix, photo.Width, photo.Height, photo.Channels,
				&options)
		})
		return err
	}
	filter, ok := resample.ParseFilter(step)
	if !ok {
		return fmt.Errorf("unknown step %q", step)
	}
	c.time(func() {
		c.result, err = c.resampler.Resize(c.result, photo.Pix, shrink(photo, filter))
	})
	return err
}

// shrink is the job that gives the shorter side of a photo 256 pixels.
func shrink(photo *jpeg.Image, filter resample.Filter) resample.Job {
	scale := 256 / float64(min(photo.Width, photo.Height))
	side := func(n int) int { return int(math.RoundToEven(float64(n) * scale)) }
	return resample.Job{
		Channels: photo.Channels, Width: photo.Width, Height: photo.Height,
		ToWidth: side(photo.Width), ToHeight: side(photo.Height), Filter: filter,
	}
}

func (c *codec) time(task func()) {
	start, used := time.Now(), usedCPU()
	task()
	c.cpu += usedCPU() - used
	c.wall += time.Since(start)
}

// usedCPU is the CPU time of the process.
func usedCPU() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // of the process itself it always knows
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
