package column

// Content returns the column with the bytes of a file.
func Content() Column { return Column{Type: "bytes", Content: true} }

// imageFields are the properties of an image besides its pixels.
var imageFields = []string{"format", "height", "width", "channels", "colorspace", "orientation", "sha256"}

// Image returns the columns of an image file. They are its content, whose name is empty, its pixels
// with the given shape, and its properties, whose names begin with a dot. If the image was made
// from another image, the properties of that follow, with the prefix ".source.".
func Image(pixels []int, made bool) []Column {
	content := Content()
	content.Image = true
	list := []Column{content, {Name: ".pixels", Type: "uint8", Shape: pixels, Array: true}}
	prefixes := []string{"."}
	if made {
		prefixes = append(prefixes, ".source.")
	}
	for _, prefix := range prefixes {
		for _, f := range imageFields {
			typ := "int64"
			if f == "format" || f == "colorspace" || f == "sha256" {
				typ = "bytes"
			}
			list = append(list, Column{Name: prefix + f, Type: typ})
		}
	}
	return list
}
