package main

import (
	"fmt"

	"tfr-build/pixels/jpeg"
)

const maxMemory = 1 << 20 // for decoding an image

// printImage encodes an image as a JPEG file. It decodes the file if its header claims little memory.
func printImage() error {
	const width, height, channels = 64, 48, 3
	pix := make([]byte, width*height*channels)
	for i := range pix {
		x := i / channels % width
		pix[i] = byte(4 * x)
	}
	var encoder jpeg.Encoder
	file, err := encoder.Append(nil, pix, width, height, channels,
		&jpeg.Options{Quality: 90, Subsampling: jpeg.Subsampling444, Optimize: true})
	if err != nil {
		return err
	}
	header, err := jpeg.ReadHeader(file)
	if err != nil {
		return err
	}
	if header.Memory() > maxMemory {
		return fmt.Errorf("an image of %d x %d pixels needs %d bytes", header.Width, header.Height, header.Memory())
	}
	decoder := jpeg.Decoder{MaxPixels: width * height}
	image, err := decoder.Decode(file)
	if err != nil {
		return err
	}
	if image.Warnings.Any() {
		return fmt.Errorf("a damaged image: %v", image.Warnings)
	}
	largest := 0
	for i, p := range image.Pix {
		largest = max(largest, int(p)-int(pix[i]), int(pix[i])-int(p))
	}
	_, err = fmt.Printf("%d x %d pixels in %d channels differ by up to %d\n", image.Width, image.Height, image.Channels,
		largest)
	return err
}
