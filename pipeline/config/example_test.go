package config_test

import (
	"errors"
	"fmt"
	"os"

	"tfr-build/pipeline/config"
)

func ExampleParse() {
	const text = `name: penguins
output: out/penguins
source:
  csv: {files: data/penguins.csv}
features:
  species: {classes: [Adelie, Chinstrap, Gentoo]}
  island: bytes
`
	c, err := config.Parse("penguins.yaml", []byte(text), os.LookupEnv)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range c.Features {
		fmt.Println(f.Key, f.Type)
	}
	// Output:
	// species int64
	// island bytes
}

func ExampleProblems() {
	const text = `name: penguins
output: out/penguins
source:
  csv: {files: data/penguins.csv, delimeter: ;}
features:
  island: byte
`
	_, err := config.Parse("penguins.yaml", []byte(text), os.LookupEnv)
	var problems *config.Problems
	if errors.As(err, &problems) {
		for _, q := range problems.List {
			fmt.Printf("line %d, %s: %s\n", q.Line, q.Path, q.Hint)
		}
	}
	// Output:
	// line 4, source.csv.delimeter: did you mean delimiter?
	// line 6, features.island: did you mean bytes?
}
