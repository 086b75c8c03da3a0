package column

// Content is the column of the bytes of a file.
func Content() Column { return Column{Type: "bytes", Content: true} }

// facts are what there is to know of an image beside its pixels.
var facts = []string{"format", "height", "width", "channels", "colorspace", "orientation"}

// Image are the columns of an image file: its content, whose name is empty, its
// pixels, of that shape, and its facts, each of whose names begins with a dot. Where
// the image was made of another, the facts of that follow.
func Image(pixels []int, made bool) []Column {
	content := Content()
	content.Image = true
	list := []Column{content, {Name: ".pixels", Type: "uint8", Shape: pixels, Array: true}}
	prefixes := []string{"."}
	if made {
		prefixes = append(prefixes, ".source.")
	}
	for _, prefix := range prefixes {
		for _, f := range facts {
			typ := "int64"
			if f == "format" || f == "colorspace" {
				typ = "bytes"
			}
			list = append(list, Column{Name: prefix + f, Type: typ})
		}
	}
	return list
}
