package diff

import "strings"

// maxTable is the maximum size of the table of common lines. For longer inputs, all lines between
// the common beginning and the common end count as different.
const maxTable = 4 << 20

// lines returns the lines that old and new do not have in common, in order. If both differ at the
// same position, the old lines come first.
func lines(old, new string) []Line {
	a, b := split(old), split(new)
	begin := 0
	for begin < len(a) && begin < len(b) && a[begin] == b[begin] {
		begin++
	}
	// Only the lines between the equal ones need the table, whose size is the product of their numbers.
	a, b = a[begin:], b[begin:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	list := []Line{}
	add := func(in string, number int, text string) {
		if len(list) < maxLines {
			list = append(list, Line{in, begin + number + 1, text})
		}
	}
	common := table(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		// Without a table, all old lines come before all new ones.
		switch {
		case common != nil && i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common == nil || common[(i+1)*(len(b)+1)+j] >= common[i*(len(b)+1)+j+1]):
			add(inOld, i, a[i])
			i++
		default:
			add(inNew, j, b[j])
			j++
		}
	}
	return list
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// table returns the length of the longest common subsequence of a[i:] and b[j:] for each i and j.
// It returns nil if the table would be too large.
func table(a, b []string) []int32 {
	width := len(b) + 1
	if (len(a)+1)*width > maxTable {
		return nil
	}
	t := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				t[i*width+j] = t[(i+1)*width+j+1] + 1
			} else {
				t[i*width+j] = max(t[(i+1)*width+j], t[i*width+j+1])
			}
		}
	}
	return t
}
