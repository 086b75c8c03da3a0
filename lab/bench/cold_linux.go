package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// chill has the kernel forget the files, and those in the directories, and looks whether it
// did. What is written to them has to be on the disk. The names and places of files
// stay in memory: to forget those takes root.
func (b *bench) chill(paths []string) error {
	var pages, warm uint64
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			all, left, err := forget(path)
			pages, warm = pages+all, warm+left
			return err
		})
		if err != nil {
			return err
		}
	}
	if warm*100 > pages {
		return fmt.Errorf("%d of %d pages are still in memory: another process has them", warm, pages)
	}
	return nil
}

// forget has a file leave the kernel's memory, and counts its pages and those that stay.
func forget(path string) (pages, warm uint64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = f.Close() }() // it was read only
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	size := int64(os.Getpagesize())
	pages = uint64((info.Size() + size - 1) / size)
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", path, err)
	}
	var stat unix.Cachestat_t
	err = unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{}, &stat, 0)
	if errors.Is(err, unix.ENOSYS) {
		return pages, 0, nil // before Linux 6.5 nothing can look
	}
	return pages, stat.Cache, err
}
