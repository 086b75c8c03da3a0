package infer_test

import (
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestUnlabeledDirectories excludes directories whose files have no class, if others have two classes.
func TestUnlabeledDirectories(t *testing.T) {
	for _, test := range []struct {
		name    string
		files   []string
		want    string
		exclude bool
	}{
		{"as IMDB", []string{"train/pos/1", "train/neg/2", "train/unsup/3", "train/unsup/4", "test/pos/5", "test/neg/6"}, "exclude: [train/unsup/**]  # 2 files without a class", true},
		{"in both splits", []string{"train/pos/1", "train/neg/2", "train/unsup/3", "test/pos/5", "test/neg/6", "test/unsup/7"}, "exclude: [test/unsup/**, train/unsup/**]  # 2 files without a class", true},
		{"without splits", []string{"pos/1", "neg/2", "Unlabeled/3"}, "exclude: [Unlabeled/**]  # 1 file without a class", true},
		{"splits below classes", []string{"pos/train/1", "neg/train/2", "unlabelled/train/3", "pos/test/4", "neg/test/5"}, "exclude: [unlabelled/**]  # 1 file without a class", true},
		{"one class besides", []string{"pos/1", "unsup/3"}, "classes: [pos, unsup]", false},
		{"deeper than classes", []string{"pos/unsup/1", "neg/unsup/2"}, "classes: [neg, pos]", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range test.files {
				files["reviews/"+name+".txt"] = "a text of " + name
			}
			dir := testenv.Directory(t, files)
			c := written(t, dir, dir+"/reviews")
			text := strings.Join(strings.Fields(string(c.Text)), " ")
			if !strings.Contains(text, strings.Join(strings.Fields(test.want), " ")) || strings.Contains(text, "exclude:") != test.exclude {
				t.Errorf("found\n%s\nexpected %s", c.Text, test.want)
			}
			worksIn(t, dir, c)
		})
	}
}
