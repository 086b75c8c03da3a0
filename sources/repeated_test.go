package sources

import (
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
	"tfr-build/sources/xml"
)

// TestRepeatedElementsThatNoDocumentHas names columns of lists that are empty in all documents. In a
// lookup table the list of a misspelled path would be empty, too.
func TestRepeatedElementsThatNoDocumentHas(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "1.xml"), "<a><o><n>1</n></o></a>")
	testenv.Put(t, filepath.Join(dir, "2.xml"), "<a/>")
	documents := Chosen{"xml", &xml.Options{Dir: ".", Extensions: input.Extensions{List: []string{"xml"}}}}
	spec := &Spec{Kind: documents, Join: []Join{{Kind: documents, On: On{{"stem", "stem"}}, Prefix: "j."}}}
	s, l := mustBind(t, below(dir), spec, "a.o.*.n", "a.p.*.n", "a.o.*.m", "j.a.o.*.n", "j.a.p.*.n")
	wantRows(t, table(t, s, l, 5), "[1]|[]|[-]|[1]|[]", "[]|[]|[]|[]|[]")
	found, err := s.Sample(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range found {
		names = append(names, column.Column)
	}
	wantRows(t, names, "a.p.*.n", "a.o.*.m", "j.a.p.*.n")
}
