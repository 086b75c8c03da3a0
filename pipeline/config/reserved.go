package config

import (
	"reflect"
	"strings"
)

// notYet is what the language keeps for later: keys of a type, and words of a
// key. To take one into the language, take its name out.
var notYet = []struct {
	in    reflect.Type
	key   string // whose words they are; empty where they are keys themselves
	names string
}{
	{reflect.TypeFor[document](), "", "where dedupe derive sequence record stratify"},
	{reflect.TypeFor[document](), "order", "inception-py3 inception-py2"},
	{reflect.TypeFor[document](), "format", "ofrecord array_record"},
	{reflect.TypeFor[Images](), "", "convert"},
	{reflect.TypeFor[Feature](), "", "tensor raw map date tfds sequence"},
	{reflect.TypeFor[Feature](), "type", "tensor raw map date tfds sequence"},
}

// reserved are the names in notYet.
func reserved(in reflect.Type, key string) []string {
	for _, r := range notYet {
		if r.in == in && r.key == key {
			return strings.Fields(r.names)
		}
	}
	return nil
}
