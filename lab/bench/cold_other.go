//go:build !linux

package main

import "errors"

// chill has files leave the memory, which takes Linux.
func (b *bench) chill(paths []string) error {
	if len(paths) > 0 {
		return errors.New("cold input takes Linux: run the other groups with -only")
	}
	return nil
}
