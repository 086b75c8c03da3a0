package tar

import (
	"slices"
	"strings"

	"tfr-build/internal/tarfile"
	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "tar archives", Noun: "tar archive", Rows: input.Contents,
		Recognize: recognize, Contents: describeContents,
	}
}

func recognize(h *input.FileHead) input.Match {
	return input.Proven.If(tarfile.IsArchive(h.Bytes) && (tarfile.IsMarked(h.Bytes) || h.Ext == "tar"))
}

// describeContents describes the members with each extension. Paths in members of JSON are not
// columns of their own, since the members are looked at.
func describeContents(names []string) (list []input.Content) {
	isJSON := func(name string) bool { return name == "json" || strings.HasSuffix(name, ".json") }
	for _, name := range names {
		below := func(other string) bool { return isJSON(other) && strings.HasPrefix(name, other+".") }
		isOfKey := slices.Contains([]string{keyColumn, stemColumn, classColumn}, name)
		if !isOfKey && !slices.ContainsFunc(names, below) {
			list = append(list, input.Content{Name: name, Image: isImage(strings.ToLower(name)), JSON: isJSON(name)})
		}
	}
	return append(list, input.Content{Name: keyColumn, Bytes: "names the row"})
}
