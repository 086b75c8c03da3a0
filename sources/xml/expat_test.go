package xml

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/sources/input"
)

// healthy are documents that mutations begin with.
var healthy = []string{
	voc,
	`<?xml version="1.0" encoding="UTF-8" standalone='yes' ?><r a="1" b='&#xD7FF;&#x10FFFF;'>&#65;&lt;</r>`,
	"<?xml version='1.0'\n?>\n<!DOCTYPE r SYSTEM \"x.dtd\">\n<r><!-- c --><a/>text<a></a>\r\n</r>\n<!-- end --><?pi " +
		"end?>",
	`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" ` +
		`"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html ` +
		`xmlns="http://www.w3.org/1999/xhtml"><b>x</b></html>`,
	`<x:r xmlns:x="u" xmlns:y="v" x:a="1" y:a="2" a="3"><y:c xmlns:y="u" y:b=""/><x:d xml:lang="en">&amp;&quot;` +
		`</x:d></x:r>`,
	`<?pi?><r xmlns="u" xmlns:a='v'><?pi x y?><a:b><![CDATA[<&]]>]]</a:b><größe ü="ß">&#x20AC;</größe></r>`,
	"<r\n\ta = '1'\n\tb\t=\t\"x\ty\nz&#10;\"\n><c/></r >",
}

// bits are what a mutation inserts.
var bits = []string{
	"&#xD800;", "&#xDFFF;", "&#55296;", "&#xFFFE;", "&#0;", "&#x110000;", "&#X41;", "&#x1F;", "&#xFFFD;", "&#65;",
	"&nbsp;", "&amp;", "&", "\ufffe", "\uffff", "\x01", "\x7f", "\u0085",
	"xmlns:", "xmlns: ", ":", "x:", "y:", "xml:", "xmlns:y=''", " xmlns=''", " xmlns:x='v'", " xmlns:xml='u'",
	" xmlns:xmlns='u'", " x:a='1'", " a='1'", "a='1'", `"`, "'", "=", "/", ">", "<", "!", "?", "-", "]]>", " ", "\t",
	"<?xml version='1.0'?>", "<?XML x?>", "<?a:b?>", "<?x", "?>", "<!DOCTYPE r>", "<!doctype r>", "SYSTEM", "PUBLIC ",
	"<![CDATA[ ]]>", "<!-- -- -->", "<!-- x -->", "encoding='UTF-8'", "standalone='yes'", "standalone='maybe'", "1",
	"ü", "\u0300",
}

// mutated returns a document with up to three changes.
func mutated(r *rand.Rand) string {
	text := healthy[r.IntN(len(healthy))]
	for range r.IntN(4) {
		at := r.IntN(len(text) + 1)
		to := min(len(text), at+r.IntN(4))
		switch r.IntN(4) {
		case 0:
			text = text[:at] + text[to:]
		case 1:
			text = text[:at] + text[at:to] + text[at:]
		default:
			text = text[:at] + bits[r.IntN(len(bits))] + text[at:]
		}
	}
	return text
}

// version matches a document that is of version 1.0. expat accepts others.
var version = regexp.MustCompile(`^(?:<\?xml[^>]*version\s*=\s*["']1\.0["']|[^<]|<[^?]|<\?[^x]|<\?x[^m]|<\?xm[^l])`)

// found returns the elements, attributes, and texts of a document in order, as testdata/expat.py does.
func found(data []byte) (list []string, err error) {
	text, bad := decode(nil, data, 1<<20)
	if bad != nil {
		return nil, bad
	}
	none, err := compile(nil)
	if err != nil {
		return nil, err
	}
	if err := newParser(none, input.Limits{Record: 1 << 20, Depth: 100, Columns: 100}, false).parse(text,
		nil); err != nil {
		return nil, err
	}
	for t, depth := newTokens(text, 100, nil), 0; ; {
		token, err := t.next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			list = append(list, "<")
			var values []string
			for _, a := range token.Attr {
				if a.Name.Space != "xmlns" && written(a.Name) != "xmlns" {
					values = append(values, "@"+a.Value)
				}
			}
			slices.Sort(values)
			list = append(list, values...)
		case xml.EndElement:
			depth--
			list = append(list, ">")
		case xml.CharData:
			switch n := len(list); {
			case depth == 0 || len(token) == 0:
			case strings.HasPrefix(list[n-1], "T"):
				list[n-1] += string(token)
			default:
				list = append(list, "T"+string(token))
			}
		}
	}
}

// TestExpat compares mutated documents with expat: both accept the same documents, and read the same
// texts and attributes. Only declarations in a DOCTYPE, encodings, and entities of a DTD that is not
// read differ.
func TestExpat(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("the installed expat reads documents in the exhaustive run")
	}
	r := rand.New(rand.NewPCG(3, 4))
	texts := slices.Clone(healthy)
	for range 40_000 {
		texts = append(texts, mutated(r))
	}
	var documents []string
	for _, text := range texts {
		documents = append(documents, base64.StdEncoding.EncodeToString([]byte(text)))
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.json")
	data, _ := json.Marshal(documents)
	testenv.Put(t, in, string(data))
	tftest.Run(t, "testdata/expat.py", in, out)
	data, err := os.ReadFile(out)
	var want [][]string
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil || len(want) != len(texts) {
		t.Fatal(err, len(want))
	}
	refused := 0
	for i, text := range texts {
		got, err := found([]byte(text))
		code := codeOf(err)
		isOther := code == "XML_DTD" || code == "ENCODING" || code == "UTF8_INVALID" || err != nil &&
			!version.MatchString(text) || strings.Contains(text, "<!DOCTYPE") && err != nil &&
			strings.Contains(err.Error(), "entity")
		for _, list := range [][]string{want[i]} { // in the order of values, not of names
			for from := 0; from < len(list); from++ {
				to := from
				for to < len(list) && strings.HasPrefix(list[to], "@") {
					to++
				}
				slices.Sort(list[from:to])
				from = to
			}
		}
		switch {
		case want[i] == nil && err == nil:
			t.Errorf("%q is accepted", text)
		case want[i] == nil:
			refused++
		case err != nil && !isOther:
			t.Errorf("%q: %v", text, err)
		case err == nil && !slices.Equal(got, want[i]):
			t.Errorf("%q: %q\nwant %q", text, got, want[i])
		}
	}
	if refused < len(texts)/4 || refused > len(texts)*9/10 {
		t.Errorf("%d of %d documents are refused", refused, len(texts))
	}
}
