package main

import (
	"fmt"
	"os"
	"os/exec"
)

// plainGo has the programs of Go leave the processor's vectors aside.
var plainGo = []string{"GODEBUG=cpu.avx2=off"}

// converted are the groups of images that are decoded, and made fit for training.
func (b *bench) converted() []group {
	tree := b.pictureTree()
	return []group{
		b.codec("decode", 1.15, 2),
		b.codec("encode", 1.5, 3),
		b.job(),
		{
			name:  "10,000 photos to 224 x 224, workers",
			input: b.makePictureTree,
			contenders: []contender{
				b.convert("1 worker", "area", "1"),
				b.convert("2 workers", "area", "2"),
			},
			goals: []goal{{of: "1 worker", to: "2 workers", limit: 1.85, least: true}},
		},
		{
			name:  "10,000 photos that are fit already",
			input: b.makePictureTree,
			contenders: []contender{
				b.ours("without convert", tree+".yaml", "-sync=false"),
				b.ours("convert", tree+"-fit.yaml", "-sync=false"),
			},
			goals: []goal{
				{of: "convert", to: "without convert", limit: 1.05},
				{of: "convert", to: "without convert", limit: 1.05, cpu: true},
			},
		},
		{
			name:  "60,000 PNG files of 32 x 32 as pixels",
			input: b.makeTiles,
			contenders: []contender{
				b.ours("pixels", "tiles.yaml", "-sync=false"),
				{name: "Pillow, decoding alone", args: b.script("pixels_by_pillow.py", b.path("tiles"))},
			},
			goals: []goal{{of: "pixels", to: "Pillow, decoding alone", limit: 0.5, cpu: true}},
		},
	}
}

// codec races package jpeg, with the processor's vectors and without, against
// libjpeg-turbo under Pillow.
func (b *bench) codec(task string, vectors, plain float64) group {
	photos := b.path(b.pictures())
	ours := []string{b.path("codec"), task, photos}
	return group{
		name: fmt.Sprintf("1,000 photos, %sd", task),
		input: func() error {
			if err := b.makePictures(); err != nil {
				return err
			}
			return b.buildCodec()
		},
		contenders: []contender{
			{name: "package jpeg", args: ours, says: true},
			{name: "package jpeg, plain Go", args: ours, env: plainGo, says: true},
			{name: "Pillow", args: b.script("codec_by_pillow.py", task, photos), says: true},
		},
		goals: []goal{
			{of: "package jpeg", to: "Pillow", limit: vectors, cpu: true},
			{of: "package jpeg, plain Go", to: "Pillow", limit: plain, cpu: true},
		},
	}
}

func (b *bench) buildCodec() error {
	build := exec.Command("go", "build", "-o", b.path("codec"), "./bench/codec")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	return build.Run()
}

// convert is a run of tfr-build that makes 10,000 photos 224 x 224 pixels large.
func (b *bench) convert(name, filter, workers string) contender {
	return b.ours(name, b.pictureTree()+"-"+filter+".yaml", "-sync=false", "-workers", workers)
}

// job is the whole way from photos to shards of 224 x 224 pixels, with one worker. The
// others do less: what they leave out is in their names.
func (b *bench) job() group {
	tree := b.path(b.pictureTree())
	lanczos, plain := b.convert("lanczos", "lanczos", "1"), b.convert("area, plain Go", "area", "1")
	lanczos.once, plain.once, plain.env = true, true, plainGo
	const opencv, tensorFlow = "OpenCV, area, no shards", "TensorFlow, area, unshuffled"
	g := group{
		name:   "10,000 photos to 224 x 224",
		rounds: 3,
		input:  b.makePictureTree,
		contenders: []contender{
			b.convert("area", "area", "1"),
			b.convert("bilinear", "bilinear", "1"),
			lanczos,
			plain,
			{name: opencv, args: b.script("job_by_opencv.py", tree)},
			{name: tensorFlow, args: b.script("job_by_tensorflow.py", tree, "%s"), once: true},
		},
		goals: []goal{
			{of: "area", to: opencv, limit: 1.1, cpu: true},
			{of: "bilinear", to: opencv, told: true, cpu: true},
			{of: "lanczos", to: opencv, told: true, cpu: true},
			{of: "area, plain Go", to: opencv, told: true, cpu: true},
			{of: "area", to: tensorFlow, told: true, cpu: true},
		},
	}
	if b.peer != "" {
		const name = "img2dataset, area, unshuffled"
		g.contenders = append(g.contenders, contender{name: name, args: scriptBy(b.peer, "job_by_img2dataset.py", tree, "%s"), once: true})
		g.goals = append(g.goals, goal{of: "area", to: name, told: true, cpu: true})
	}
	return g
}
