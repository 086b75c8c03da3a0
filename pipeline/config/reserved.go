package config

import "reflect"

// notYet is what the language keeps for later: keys by the type they stand in,
// and words of a key. To take one into the language, take its row out.
var notYet = map[string]bool{
	"Config.where":    true,
	"Config.dedupe":   true,
	"Config.derive":   true,
	"Config.sequence": true,
	"Config.record":   true,
	"Config.stratify": true,

	"order: inception-py3": true,
	"order: inception-py2": true,
	"format: ofrecord":     true,
	"format: array_record": true,

	"Images.convert": true,

	"Feature.tensor":   true,
	"Feature.raw":      true,
	"Feature.map":      true,
	"Feature.date":     true,
	"Feature.tfds":     true,
	"Feature.sequence": true,
	"type: tensor":     true,
	"type: raw":        true,
	"type: map":        true,
	"type: date":       true,
	"type: tfds":       true,
	"type: sequence":   true,
}

// reservedKey is the row of a key in notYet.
func reservedKey(t reflect.Type, key string) string {
	name := t.Name()
	if name == "document" {
		name = "Config"
	}
	return name + "." + key
}
