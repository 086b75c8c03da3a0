package pipeline

import "fmt"

// CheckSalvage refuses a folder for salvaged records that would stand in a
// dataset, or around it.
func CheckSalvage(dir string, datasets []string) error {
	real := realPath(dir)
	for _, name := range datasets {
		switch of := realPath(name); {
		case within(real, of):
			return &PlaceError{fmt.Sprintf("the folder %s for salvaged records lies inside the dataset %s", dir, name)}
		case within(of, real):
			return &PlaceError{fmt.Sprintf("the folder %s for salvaged records lies around the dataset %s", dir, name)}
		}
	}
	return nil
}
