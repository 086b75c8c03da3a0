package filetest

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// NPY returns a file of NumPy with an array in C order. The type and the shape are as in Python: "<f4" and
// "(3, 2)".
func NPY(descr, shape, elements string) string {
	return npyArray(descr, "False", shape, elements)
}

// NPYFortran returns a file of NumPy with an array in Fortran order.
func NPYFortran(descr, shape, elements string) string {
	return npyArray(descr, "True", shape, elements)
}

func npyArray(descr, fortran, shape, elements string) string {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	dict += strings.Repeat(" ", 63-(10+len(dict))%64) + "\n" // NumPy aligns the elements, too
	return NPYHeader(1, dict, elements)
}

// NPYHeader returns a file of NumPy with a header of a version, which may be invalid.
func NPYHeader(version byte, dict, elements string) string {
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))
	if version > 1 {
		length = binary.LittleEndian.AppendUint32(nil, uint32(len(dict)))
	}
	return "\x93NUMPY" + string([]byte{version, 0}) + string(length) + dict + elements
}

// IDX returns an IDX file. The type is a byte of the format, such as 8 for bytes.
func IDX(typ byte, elements string, axes ...int) string {
	header := []byte{0, 0, typ, byte(len(axes))}
	for _, n := range axes {
		header = binary.BigEndian.AppendUint32(header, uint32(n))
	}
	return string(header) + elements
}
