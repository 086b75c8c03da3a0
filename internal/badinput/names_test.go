package badinput

import "strings"

// hostile are names that files can have, what they are, and whether it is said
// of such a class that its label file has it in another form.
var hostile = []struct {
	what, name string
	class      verdict
}{
	{"a newline", "a\nb", warned},
	{"a tab", "a\tb", accepted},
	{"a quote", `a"b'c`, accepted},
	{"a backslash", `a\nb`, accepted},
	{"a dash in front", "-rf", accepted},
	{"invalid UTF-8", "a\xffb", warned},
	{"255 bytes", strings.Repeat("x", 251), accepted},
	{"%", "100%d%s%n", accepted},
	{"an emoji", "\U0001f600", accepted},
	{"text from right to left", "\u202eabc", accepted},
	{"an escape sequence", "\x1b[31mred\x07", accepted},
	{"spaces", " a  b ", warned},
	{"brackets", "a[1]{b}*?", accepted},
	{"a colon and a number", "a.csv:12:3", accepted},
	{"letters and a mark", "cafe\u0301", accepted},
}

// nameFaults are files with such names: used where they are good, and named in
// one line where they are not.
func nameFaults() []fault {
	var list []fault
	for _, h := range hostile {
		features := "features: {content: bytes, path: bytes, class: {classes: auto}}\n"
		class := h.name[:min(len(h.name), 200)]
		list = append(list,
			input(h.class, h.what+" in a class", "source: {folder: {dir: in}}\n"+features,
				map[string]string{"in/" + class + "/1.bin": "x", "in/" + class + "/2.bin": "y"}),
			input(accepted, h.what+" in a name", "source: {folder: {dir: in}}\nfeatures: {content: bytes, path: "+
				"bytes}\n", map[string]string{"in/" + h.name + ".bin": "x"}),
			input(badRow, h.what+" in the name of an image", "source: {images: {dir: in}}\nfeatures: {image: {from: "+
				"image}}\n", map[string]string{"in/" + h.name + ".jpg": "no image"}),
			input(badRow, h.what+" in the name of a table", tables, map[string]string{h.name + ".csv": "a\n1\nx\n"}),
		)
	}
	return append(list,
		input(accepted, "names that differ in case", oneDirectory,
			map[string]string{"in/a/1.bin": "x", "in/A/1.bin": "y", "in/a/1.BIN": "z"}),
		input(warned, "classes that look the same", "source: {folder: {dir: in}}\nfeatures: {content: bytes, class: "+
			"bytes}\n", map[string]string{"in/caf\u00e9/1.bin": "x", "in/cafe\u0301/1.bin": "y"}),
		input(warned, "the litter of desktops", oneDirectory, map[string]string{
			"in/1.bin": "x", "in/.DS_Store": "", "in/Thumbs.db": "", "in/._1.bin": "", "in/desktop.ini": "",
			"in/1.swp":     "",
			"in/.git/HEAD": "", "in/1.bin~": "", "in/__MACOSX/._1.bin": "",
		}),
		input(warned, "a hidden table", tables, map[string]string{"t.csv": "a\n1\n", ".u.csv": "a\n1\n"}),
	)
}
