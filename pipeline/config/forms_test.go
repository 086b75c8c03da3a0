package config

import (
	"reflect"
	"testing"
)

// TestForms checks what the rows of forms name: fields of their types, and a value for each name of a mapping.
func TestForms(t *testing.T) {
	shorts := 0
	for of, form := range forms {
		switch form := form.(type) {
		case choice:
			for _, s := range form.shorts {
				shorts++
				f, ok := of.FieldByName(s.field)
				switch {
				case s.field == "" && s.word == "", s.field != "" && !ok:
					t.Errorf("%v: a short form of no field: %+v", of, s)
				case s.word != "" && ok && f.Type.Kind() != reflect.Bool:
					t.Errorf("%v: the word %s sets %s, which is not a bool", of, s.word, s.field)
				}
			}
		case mapping:
			if name := of.Elem().Field(0); name.Type.Kind() != reflect.String || name.Tag.Get("yaml") != "" {
				t.Errorf("%v: the first field is %s; want the name", of, name.Name)
			}
		}
	}
	if shorts < 25 {
		t.Errorf("found %d short forms; want at least 25", shorts)
	}
}
