package conformance

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
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

// npy is a .npy file.
func npy(descr string, fortran bool, elements []byte, axes ...int) []byte {
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(axes), " ", ", "), "[]") + ","
	order := map[bool]string{false: "False", true: "True"}[fortran]
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, order, shape)
	dict += strings.Repeat(" ", 63-(10+len(dict))%64) + "\n"
	file := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(dict)))
	return append(append(file, dict...), elements...)
}

// orderedArrays makes arrays of both orders of bytes and of axes; a few texts hold
// what is no character.
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
	idx := []byte{0, 0, 8, 3}
	for _, n := range []int{rows, 6, 5} {
		idx = binary.BigEndian.AppendUint32(idx, uint32(n))
	}
	images = append(idx, images...)
	write(t, dir, "images", images)
	write(t, dir, "labels.npy", npy(">i8", false, labels, rows))
	write(t, dir, "names.npy", npy("<U2", false, names, rows))
	floats = append(floats, floats...)
	var archive, packed bytes.Buffer
	z := zip.NewWriter(&archive)
	members := map[string][]byte{"x.npy": npy(">f4", true, floats, rows, 2), "fold.npy": npy("|u1", false, folds, rows)}
	for _, name := range []string{"x.npy", "fold.npy"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(members[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	g := gzip.NewWriter(&packed)
	_, err := g.Write(images)
	if err := errors.Join(err, g.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "more.npz", archive.Bytes())
	write(t, dir, "images.gz", packed.Bytes())
}
