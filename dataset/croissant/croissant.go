// Package croissant describes a dataset in Croissant, a vocabulary that search engines and
// repositories of datasets read.
//
//	dataset.Info ─┐
//	Card ─────────┴─ Describe ─► _tfr/croissant.json
//
// The description follows version 1.1 of the specification,
// https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html:
//
//	sc:Dataset      name, description, version; from the card: license, url, creator …
//	├─ distribution  one cr:FileSet: the shards
//	└─ recordSet     splits, each a cr:Split
//	                 an sc:Enumeration for each feature with classes
//	                 records, with a cr:Field for each feature
//
// File patterns are relative to the directory of the dataset.
package croissant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
)

// Name is the name of the file in a dataset.
const Name = "_tfr/croissant.json"

// A Card has the metadata for Croissant that the dataset's own files do not have.
type Card struct {
	License       string   // an SPDX identifier, a URL, or any other text
	URL           string   // of a web page about the dataset
	Creator       string   // person or organization
	DatePublished string   // such as 2026-11-21
	Citation      string   // optional
	Keywords      []string // optional
}

// missing returns the keys that Croissant requires and the card does not have.
func (c *Card) missing() (keys []string) {
	for _, required := range []struct{ key, value string }{
		{"license", c.License}, {"url", c.URL}, {"creator", c.Creator}, {"date_published", c.DatePublished},
	} {
		if required.value == "" {
			keys = append(keys, required.key)
		}
	}
	return keys
}

// A node is an object of JSON-LD, written with sorted keys.
type node map[string]any

// Describe returns the content of the file Name. It returns an error if the card misses a key.
func Describe(info *dataset.Info, card *Card) ([]byte, error) {
	if missing := card.missing(); missing != nil {
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

// description returns the config's description, or a generated one: Croissant requires it.
func description(info *dataset.Info) string {
	if info.Description != "" {
		return info.Description
	}
	records := int64(0)
	for _, s := range info.Splits {
		records += s.Records
	}
	return fmt.Sprintf("%s, version %s: %s in %s.", info.Name, info.Version, plural.Of(records, "record"),
		plural.Of(int64(len(info.Splits)), "split"))
}

// license returns the URL of a license. SPDX identifiers have a URL at spdx.org. Other text is
// the name of a work.
func license(s string) any {
	switch {
	case strings.Contains(s, "://"):
		return s
	case strings.Trim(s, spdx) == "" && (strings.ContainsAny(s, digits+"-") || s == strings.ToUpper(s)):
		return "https://spdx.org/licenses/" + s + ".html"
	}
	return node{"@type": "sc:CreativeWork", "name": s}
}

// spdx are the characters of SPDX identifiers. An identifier has a digit or a hyphen, or is all
// capitals, so "proprietary" is not one.
const spdx = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+"

// context returns the context of the specification's first appendix, with the URL of schema.org
// that mlcroissant expects.
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
		"annotation", "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "excludes",
		"extract", "field", "fileObject",
		"fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5",
		"parentField", "path",
		"readLines", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "sdVersion",
		"separator", "source",
		"subField", "transform", "unArchive", "value",
	} {
		c[key] = "cr:" + key
	}
	return c
}
