// Codec prints the CPU time that package jpeg takes for photos: to decode them all,
// or to encode them with quality 95 and 4:2:0.
//
//	go -C scripts run ./bench/codec decode ../.bench/pictures
//
// The processor's vectors are left aside with GODEBUG=cpu.avx2=off.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tfr-build/jpeg"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "codec:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 || args[0] != "decode" && args[0] != "encode" {
		return fmt.Errorf("usage: codec decode|encode DIR")
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

// A codec adds up the time of its task.
type codec struct {
	cpu, wall time.Duration
	decoder   jpeg.Decoder
	encoder   jpeg.Encoder
	encoded   []byte
}

func (c *codec) run(task string, data []byte) (err error) {
	var photo *jpeg.Picture
	decode := func() {
		photo, err = c.decoder.Decode(data)
	}
	if task == "decode" {
		c.time(decode)
		return err
	}
	if decode(); err != nil {
		return err
	}
	c.time(func() {
		options := jpeg.Options{Quality: 95, Subsampling: jpeg.Subsampling420}
		c.encoded, err = c.encoder.Append(c.encoded[:0], photo.Pix, photo.Width, photo.Height, photo.Channels, &options)
	})
	return err
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
