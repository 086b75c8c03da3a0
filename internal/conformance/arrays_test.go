package conformance

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
)

const orderedConfig = `
  - split: {column: fold, map: {"0": test, "1": train, "2": train}}
    arrays:
      columns: {image: %[1]s, label: labels.npy, x: "more.npz#x", fold: "more.npz#fold", name: names.npy}
shards: 3
on_error: skip
max_errors: 10%%
features:
  image: {raw: true}
  image/tensor: {from: image, tensor: true}
  label: {}
  x: {}
  name: {}
`

// npy returns a .npy file.
func npy(descr string, fortran bool, elements []byte, axes ...int) []byte {
	shape := "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(axes), " ", ", "), "[]") + ",)"
	if fortran {
		return []byte(filetest.NPYFortran(descr, shape, string(elements)))
	}
	return []byte(filetest.NPY(descr, shape, string(elements)))
}

// orderedArrays makes arrays of both orders of bytes and of axes; a few texts hold
// what is not a character.
func orderedArrays(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(uint64(rows), 3))
	var images, labels, floats, folds, names []byte
	for i := range rows {
		for range 6 * 5 {
			images = append(images, byte(r.Uint32()))
		}
		labels = binary.BigEndian.AppendUint64(labels, uint64(r.IntN(10)))
		floats = binary.BigEndian.AppendUint32(floats, r.Uint32()%0x7f000000)
		folds = append(folds, byte(r.IntN(3)))
		name := uint32('a' + r.IntN(0x3000))
		if i%499 == 0 {
			name = 0x110000
		}
		names = append(binary.LittleEndian.AppendUint32(names, name), 0, 0, 0, 0)
	}
	images = []byte(filetest.IDX(8, string(images), rows, 6, 5))
	write(t, dir, "images", images)
	write(t, dir, "labels.npy", npy(">i8", false, labels, rows))
	write(t, dir, "names.npy", npy("<U2", false, names, rows))
	floats = append(floats, floats...)
	archive := filetest.NewZip(t)
	archive.Store("x.npy", string(npy(">f4", true, floats, rows, 2)))
	archive.Store("fold.npy", string(npy("|u1", false, folds, rows)))
	write(t, dir, "more.npz", []byte(archive.Finish()))
	write(t, dir, "images.gz", gzipped(images))
}
