package config

import (
	"reflect"
	"strings"
)

// notYet is what the language keeps for later: keys of a type, and words of a
// key. They are refused by name, so that a config for a later version is told
// from a misspelt one. To take a name into the language, remove it here.
var notYet = []reservedNames{
	later[document]("", "dedupe group stratify"),
	later[Split]("", "stratify folds"),
	later[Feature]("", "box"),
}

type reservedNames struct {
	in    reflect.Type
	key   string // whose words they are; empty where they are keys themselves
	names []string
}

func later[T any](key, names string) reservedNames {
	return reservedNames{reflect.TypeFor[T](), key, strings.Fields(names)}
}

// reserved are the names in notYet.
func reserved(in reflect.Type, key string) []string {
	for _, r := range notYet {
		if r.in == in && r.key == key {
			return r.names
		}
	}
	return nil
}
