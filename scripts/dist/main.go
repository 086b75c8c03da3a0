// Command dist makes packages of released programs:
//
//	go -C scripts run ./dist -wheels ../bin/release            # one wheel for each program
//	go -C scripts run ./dist ../bin/release                    # wheels, SBOMs, deb, rpm, formula, install block
//
// It reads a program's version, system, and machine from the program itself. Each
// package has the time of the program's commit, so the same programs give the same
// packages. release.env names who publishes; without it, the formula and the
// install block are not written.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	wheels := flag.Bool("wheels", false, "make wheels only")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: dist [-wheels] DIR")
		os.Exit(2)
	}
	if err := run("..", flag.Arg(0), *wheels); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// run makes the packages of the programs in dir, next to them. The other files that
// they have are in the project's directory root.
func run(root, dir string, wheelsOnly bool) error {
	publisher, err := readPublisher(filepath.Join(root, "release.env"))
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil { // tools run in other directories
		return err
	}
	programs, err := findPrograms(dir)
	if err != nil {
		return err
	}
	for _, p := range programs {
		if err := writeWheel(root, dir, p, publisher); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(p.Path), err)
		}
	}
	if wheelsOnly {
		return nil
	}
	for _, p := range programs {
		if err := writeSBOM(p); err != nil {
			return err
		}
	}
	if err := writeLinuxPackages(root, dir, programs, publisher); err != nil {
		return err
	}
	return writePublished(root, dir, programs, publisher)
}
