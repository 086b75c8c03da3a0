// Package croissant describes a dataset in Croissant, the vocabulary that search
// engines and repositories of datasets read.
//
//	dataset.Info ─┐
//	Card ─────────┴─ Describe ─► _tfr/croissant.json
//
// The description follows version 1.1 of the specification,
// https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html:
//
//	sc:Dataset      name, description, version; of the card: license, url, creator …
//	├─ distribution  one cr:FileSet: the shards
//	└─ recordSet     splits, a cr:Split each
//	                 an sc:Enumeration for each feature with classes
//	                 records, with a cr:Field for each feature
//
// Patterns of files are relative to the folder of the dataset.
package croissant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
)

// Name is the name of the file.
const Name = "_tfr/croissant.json"

// A Card is what Croissant says of a dataset and its files do not.
type Card struct {
	License       string   // an identifier of SPDX, a URL, or any text
	URL           string   // of a page about the dataset
	Creator       string   // who made it
	DatePublished string   // 2026-11-21
	Citation      string   // may be empty
	Keywords      []string // may be empty
}

// Missing names the keys that a card has to have, and has not: Croissant requires
// them.
func (c *Card) Missing() (keys []string) {
	for _, required := range []struct{ key, value string }{
		{"license", c.License}, {"url", c.URL}, {"creator", c.Creator}, {"date_published", c.DatePublished},
	} {
		if required.value == "" {
			keys = append(keys, required.key)
		}
	}
	return keys
}

// A node is an object of JSON-LD. Its keys are written in sorted order.
type node map[string]any

// Describe returns the file called Name. The card must miss nothing.
func Describe(info *dataset.Info, card *Card) ([]byte, error) {
	if missing := card.Missing(); missing != nil {
		return nil, fmt.Errorf("card: Croissant requires %s", strings.Join(missing, ", "))
	}
	root := node{
		"@context":      context(),
		"@type":         "sc:Dataset",
		"conformsTo":    "http://mlcommons.org/croissant/1.1",
		"name":          info.Name,
		"description":   description(info),
		"version":       info.Version,
		"license":       license(card.License),
		"url":           card.URL,
		"creator":       node{"@type": "sc:Organization", "name": card.Creator},
		"datePublished": card.DatePublished,
		"distribution":  distribution(info),
		"recordSet":     recordSets(info),
	}
	if card.Citation != "" {
		root["citeAs"] = card.Citation
	}
	if len(card.Keywords) > 0 {
		root["keywords"] = card.Keywords
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		return nil, fmt.Errorf("encoding %s: %w", Name, err)
	}
	return out.Bytes(), nil
}

// description is that of the config, and without one what can be said of any
// dataset: Croissant requires one.
func description(info *dataset.Info) string {
	if info.Description != "" {
		return info.Description
	}
	records := int64(0)
	for _, s := range info.Splits {
		records += s.Records()
	}
	return fmt.Sprintf("%s, version %s: %s in %s.", info.Name, info.Version, plural.Of(records, "record"), plural.Of(int64(len(info.Splits)), "split"))
}

// license is the address of a license: those that SPDX lists have one there. Any
// other text is the name of a work.
func license(s string) any {
	switch {
	case strings.Contains(s, "://"):
		return s
	case strings.Trim(s, spdx) == "" && (strings.ContainsAny(s, digits+"-") || s == strings.ToUpper(s)):
		return "https://spdx.org/licenses/" + s + ".html"
	}
	return node{"@type": "sc:CreativeWork", "name": s}
}

// spdx are the characters of an identifier of SPDX. It has a digit or a hyphen, or is
// all capitals; "proprietary" is none.
const spdx = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+"

// context is the one of the specification's first appendix, with the address of
// schema.org that mlcroissant knows.
func context() node {
	c := node{
		"@language": "en",
		"@vocab":    "https://schema.org/",
		"sc":        "https://schema.org/",
		"cr":        "http://mlcommons.org/croissant/",
		"rai":       "http://mlcommons.org/croissant/RAI/",
		"dct":       "http://purl.org/dc/terms/",

		"conformsTo": "dct:conformsTo",
		"data":       node{"@id": "cr:data", "@type": "@json"},
		"dataType":   node{"@id": "cr:dataType", "@type": "@vocab"},
		"examples":   node{"@id": "cr:examples", "@type": "@json"},
	}
	for _, key := range []string{
		"annotation", "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "excludes", "extract", "field", "fileObject",
		"fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path",
		"readLines", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "sdVersion", "separator", "source",
		"subField", "transform", "unArchive", "value",
	} {
		c[key] = "cr:" + key
	}
	return c
}
