package badinput

// contentFaults are files whose content is a text.
func contentFaults() []fault {
	directory := "source: {folder: {dir: notes}}\nfeatures:\n  content: "
	load := "source:\n  csv: {files: t.csv}\n  load: {note: {path: '{id}.txt', dir: notes, as: bytes}}\nfeatures:\n  " +
		"note: "
	files := func(text string) map[string]string {
		return map[string]string{"notes/1.txt": "caf\u00e9", "notes/2.txt": text, "t.csv": "id\n1\n2\n"}
	}
	var list []fault
	for _, of := range []struct{ name, config string }{{"folder", directory}, {"load", load}} {
		list = append(list,
			input(accepted, "a string from "+of.name, of.config+"string\n", files("")),
			input(badRow, "a string from "+of.name+" that is not UTF-8", of.config+"string\n", files("caf\xe9")),
			input(accepted, "bytes from "+of.name+" that are not UTF-8", of.config+"bytes\n", files("caf\xe9")),
			input(refused, "a number from "+of.name, of.config+"int64\n", files("7")),
		)
	}
	return append(list,
		input(refused, "a string from images",
			"source: {images: {dir: notes, extensions: txt}}\nfeatures:\n  image: string\n", files("")),
		input(accepted, "one extension, one pattern",
			"source: {folder: {dir: notes, extensions: TXT, exclude: 2.*}}\nfeatures:\n  content: {}\n", files("")),
	)
}
