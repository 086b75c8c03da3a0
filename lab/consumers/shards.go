package main

import (
	"archive/tar"
	"fmt"
	"os"
	"path/filepath"
)

// writeShards writes the photos as three WebDataset shards. Each sample has an image, its class, and a caption;
// every third has no caption.
func writeShards(photos, dir string) error {
	files, err := filepath.Glob(filepath.Join(photos, "*", "*.jpg"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := range 3 {
		if err := writeShard(filepath.Join(dir, fmt.Sprintf("%03d.tar", i)), files, i*len(files)/3,
			(i+1)*len(files)/3); err != nil {
			return err
		}
	}
	return nil
}

// writeShard writes the photos from index begin up to end.
func writeShard(path string, photos []string, begin, end int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := tar.NewWriter(f)
	for i := begin; i < end; i++ {
		photo, err := os.ReadFile(photos[i])
		if err != nil {
			return err
		}
		class, caption := "0", fmt.Sprintf(`{"caption": "Straße %d"}`, i)
		if filepath.Base(filepath.Dir(photos[i])) == "portrait" {
			class = "1"
		}
		if i%3 == 0 {
			caption = "{}"
		}
		for _, member := range []struct{ extension, content string }{{"jpg", string(photo)}, {"cls", class},
			{"json", caption}} {
			header := &tar.Header{Name: fmt.Sprintf("%04d.%s", i, member.extension), Mode: 0o644,
				Size: int64(len(member.content)), Format: tar.FormatUSTAR}
			if err := w.WriteHeader(header); err != nil {
				return err
			}
			if _, err := w.Write([]byte(member.content)); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
