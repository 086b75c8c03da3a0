package header_test

import (
	"fmt"
	"os"
	"path/filepath"

	"tfr-build/pixels/header"
)

func ExampleRead() {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "photos", "portrait", "Portrait_6.jpg"))
	if err != nil {
		fmt.Println(err)
		return
	}
	facts, err := header.Read(data, header.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(facts.Format, facts.Width, facts.Height, facts.Channels, facts.Colorspace, facts.Orientation)
	// Output: JPEG 1800 1200 3 RGB 6
}

func ExampleInfo_Verify() {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "photos", "portrait", "Portrait_6.jpg"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, data := range [][]byte{data, append(data, "junk"...), data[:1000], data[:100_000]} {
		facts, err := header.Read(data, header.Limits{})
		if err == nil {
			err = facts.Verify(data, header.Structure)
		}
		fmt.Println(err)
		for warning := range facts.Warnings.All() {
			fmt.Println(warning.Code())
		}
	}
	// Output:
	// <nil>
	// <nil>
	// IMG_TRAILING
	// JPEG: no end marker, and 1000 bytes cannot hold 1800 x 1200 pixels [IMG_TRUNCATED]
	// JPEG: no end marker, and a scan breaks off at byte 100000 [IMG_TRUNCATED]
}
