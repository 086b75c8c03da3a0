package jpeg_test

import (
	"bytes"
	"fmt"

	"tfr-build/pixels/jpeg"
)

// An image goes to a file and comes back.
func Example() {
	pix := bytes.Repeat([]byte{200, 120, 40}, 32*16)
	var e jpeg.Encoder
	file, err := e.Append(nil, pix, 32, 16, 3, &jpeg.Options{Quality: 95, Subsampling: jpeg.Subsampling444})
	if err != nil {
		fmt.Println(err)
		return
	}
	var d jpeg.Decoder
	p, err := d.Decode(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Width, "x", p.Height, "x", p.Channels, p.Pix[:3])
	// Output:
	// 32 x 16 x 3 [201 120 41]
}

// A file that is cut short is an image with warnings; the caller decides.
func ExampleDecoder_Decode_damaged() {
	var e jpeg.Encoder
	file, _ := e.Append(nil, make([]byte, 64*64), 64, 64, 1, nil)
	d := jpeg.Decoder{MaxPixels: 1e6}
	p, err := d.Decode(file[:len(file)-10])
	fmt.Println(err)
	fmt.Println(p.Warnings)
	fmt.Println("first", p.Pix[0], "last", p.Pix[64*64-1])
	// Output:
	// <nil>
	// the file ends early (1), the data of a scan ends early (1)
	// first 0 last 128
}

// What an image needs is known from its header.
func ExampleReadHeader() {
	var e jpeg.Encoder
	file, _ := e.Append(nil, make([]byte, 640*480*3), 640, 480, 3, nil)
	h, err := jpeg.ReadHeader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Width, "x", h.Height, "needs", h.Memory()>>10, "KiB")
	// Output:
	// 640 x 480 needs 935 KiB
}
