package config

import (
	"reflect"
	"strings"
	"testing"

	"tfr-build/sources"
	"tfr-build/sources/images"
)

// TestReserved writes every reserved name into a config: its only problem is that it is not
// supported yet.
func TestReserved(t *testing.T) {
	const head = "name: d\noutput: out\n"
	const table, features = "source: {csv: {files: a.csv}}\n", "features: {x: int64}\n"
	around := map[reflect.Type]string{
		reflect.TypeFor[document]():       head + table + features + "NAME\n",
		reflect.TypeFor[Source]():         head + features + "source: {NAME}\n",
		reflect.TypeFor[sources.Join]():   head + table + features + "join: [{NAME, on: id}]\n",
		reflect.TypeFor[images.Options](): head + features + "source: {images: {dir: p, NAME}}\n",
		reflect.TypeFor[sources.Load]():   head + table + features + `load: {photo: {path: "{id}.jpg", dir: p, NAME}}` + "\n",
		reflect.TypeFor[Split]():          head + table + features + "split: {fractions: {train: 100%}, NAME}\n",
		reflect.TypeFor[Feature]():        head + table + "features: {x: {NAME}}\n",
		reflect.TypeFor[Classes]():        head + table + "features: {x: {classes: {names: [a], NAME}}}\n",
	}
	for _, r := range allReserved {
		for _, name := range r.names {
			written, want := name+": 1", "not supported yet"
			if r.key != "" {
				written, want = r.key+": "+name, `"`+name+`" is not supported yet`
			} else if r.in == reflect.TypeFor[Feature]() {
				written += ", type: int64"
			}
			if r.key == "encoding" {
				written += ", type: bytes"
			}
			text := strings.Replace(around[r.in], "NAME", written, 1)
			problems := parseInvalid(t, "c.yaml", []byte(text))
			if len(problems.List) != 1 || problems.List[0].Text != want {
				t.Errorf("%s: got\n%v\nwant %s", text, problems, want)
			}
		}
	}
}
