package config

import (
	"reflect"
	"strings"
)

// allReserved lists the names that the language reserves for later: keys of a type, and words of a
// key. The loader reports them as not supported yet, not as misspelled. To add such a name to the
// language, remove it here.
var allReserved = []reservedNames{
	later[Feature]("", "box"),
}

type reservedNames struct {
	in    reflect.Type
	key   string // key whose words they are; empty if they are keys themselves
	names []string
}

func later[T any](key, names string) reservedNames {
	return reservedNames{reflect.TypeFor[T](), key, strings.Fields(names)}
}

// reserved returns the names in allReserved for a type and a key.
func reserved(in reflect.Type, key string) []string {
	for _, r := range allReserved {
		if r.in == in && r.key == key {
			return r.names
		}
	}
	return nil
}
