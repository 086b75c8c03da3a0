package filetest

// Flip returns data with one bit of a byte flipped. A negative offset counts from the end.
func Flip(data string, offset int) string {
	b := []byte(data)
	b[fromEnd(data, offset)] ^= 1
	return string(b)
}

// Overwrite returns data with other bytes at an offset. A negative offset counts from the end.
func Overwrite(data string, offset int, with string) string {
	offset = fromEnd(data, offset)
	return data[:offset] + with + data[offset+len(with):]
}

func fromEnd(data string, offset int) int {
	if offset < 0 {
		return len(data) + offset
	}
	return offset
}
