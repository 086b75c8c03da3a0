package config

import (
	"reflect"
	"strings"
)

// notYet is what the language keeps for later: keys of a type, and words of a
// key. They are refused by name, so that a config for a later version is told
// from a misspelt one. To take a name into the language, remove it here.
var notYet = []struct {
	in    reflect.Type
	key   string // whose words they are; empty where they are keys themselves
	names string
}{
	{reflect.TypeFor[document](), "", "where dedupe derive sequence context lengths record sample limit group stratify " +
		"statistics checks on_check card index link keep metadata store threads"},
	{reflect.TypeFor[document](), "order", "inception-py3 inception-py2"},
	{reflect.TypeFor[document](), "format", "ofrecord array_record"},
	{reflect.TypeFor[Source](), "", "text arrays tfrecord parquet json tar zip"},
	{reflect.TypeFor[Join](), "", "parquet json tar zip"},
	{reflect.TypeFor[Images](), "", "convert minimum maximum frame"},
	{reflect.TypeFor[Loaded](), "", "convert"},
	{reflect.TypeFor[Split](), "", "map stratify folds"},
	{reflect.TypeFor[Feature](), "", "tensor raw map date unit zone tfds sequence box"},
	{reflect.TypeFor[Feature](), "type", "tensor raw map date tfds sequence float16 bfloat16"},
	{reflect.TypeFor[Feature](), "encoding", "json"},
	{reflect.TypeFor[Classes](), "", "numbers"},
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
