package main

import (
	"os"
	"os/exec"
)

// plainGo has the programs of Go leave the processor's vectors aside.
var plainGo = []string{"GODEBUG=cpu.avx2=off"}

// converted are the groups of images that are decoded, and made fit for training.
func (b *bench) converted() []group {
	tree := b.pictureTree()
	return []group{
		b.step(decodeStep, 1.15, 2),
		b.step(areaStep, 0, 0),
		b.step(lanczosStep, 0, 0),
		b.step(encodeStep, 1.5, 3),
		b.photoJob(),
		b.job(),
		b.boxed(),
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

// The steps of a conversion, as package codec names them.
const (
	decodeStep  = "decode"
	areaStep    = "area"
	lanczosStep = "lanczos"
	encodeStep  = "encode"
)

// Contenders of a step and of a job.
const (
	stepOurs  = "tfr-build"
	stepPlain = "tfr-build, plain Go"
	openCV    = "OpenCV"
	pillow    = "Pillow"
	libvips   = "libvips"
)

// stepName is the name of the group of a step.
func stepName(step string) string { return "1,000 photos, " + step }

// library is a run of one of the libraries on the photos.
func (b *bench) library(name, peer string, args ...string) contender {
	script := scriptBy(b.peerPython(libraries), "convert_images.py", append([]string{peer}, args...)...)
	return contender{name: name, args: script, says: true}
}

// step races one step of package codec, with the processor's vectors and without,
// against libraries, which have not every filter. Limits are of the CPU time of Pillow.
func (b *bench) step(step string, vectors, plain float64) group {
	photos := b.path(b.pictures())
	ours := []string{b.path("codec"), step, photos}
	g := group{
		name: stepName(step),
		page: true,
		input: func() error {
			if err := b.makeLibraries(); err != nil {
				return err
			}
			return b.buildCodec()
		},
		pixels: b.allPixels,
		contenders: []contender{
			{name: stepOurs, args: ours, says: true},
			{name: stepPlain, args: ours, env: plainGo, says: true},
		},
		goals: []goal{
			{of: stepOurs, to: pillow, limit: vectors, told: vectors == 0, cpu: true},
			{of: stepPlain, to: pillow, limit: plain, told: plain == 0, cpu: true},
		},
	}
	if step != lanczosStep {
		g.contenders = append(g.contenders, b.library(openCV, "opencv", step, photos))
	}
	if step != areaStep {
		g.contenders = append(g.contenders, b.library(libvips, "libvips", step, photos))
	}
	g.contenders = append(g.contenders, b.library(pillow, "pillow", step, photos))
	return g
}

// photoJob is the complete way from photos to images of 224 x 224 pixels, on one core. The
// libraries write no files, and do not count what they take to start.
func (b *bench) photoJob() group {
	photos := b.path(b.pictures())
	ours := func(filter string) contender {
		return b.ours(filter, b.pictures()+"-"+filter+".yaml", "-sync=false", "-workers", "1")
	}
	return group{
		name:   photoJobName,
		page:   true,
		input:  b.makeLibraries,
		pixels: b.allPixels,
		contenders: []contender{
			ours(areaStep),
			ours(lanczosStep),
			b.library("OpenCV, area", "opencv", "job", photos, areaStep),
			b.library("Pillow, area", "pillow", "job", photos, areaStep),
			b.library("Pillow, lanczos", "pillow", "job", photos, lanczosStep),
			b.library("libvips, lanczos", "libvips", "job", photos, lanczosStep),
			b.library("libvips, thumbnail", "thumbnail", "job", photos, lanczosStep),
		},
	}
}

const photoJobName = "1,000 photos to 224 x 224"

// makeLibraries makes the environment of the libraries, and the photos.
func (b *bench) makeLibraries() error {
	if err := b.makePeers(libraries); err != nil {
		return err
	}
	return b.makePictures()
}

// allPixels is the number of pixels of the photos.
func (b *bench) allPixels() (int64, error) {
	_, all, err := b.measurePictures()
	return all, err
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

// job is all work from photos to shards of 224 x 224 pixels, with one worker. The
// others do less: what they skip is in their names.
func (b *bench) job() group {
	tree := b.path(b.pictureTree())
	lanczos, plain := b.convert("lanczos", "lanczos", "1"), b.convert("area, plain Go", "area", "1")
	lanczos.once, plain.once, plain.env = true, true, plainGo
	const opencv, tensorFlow = "OpenCV, area, no shards", "TensorFlow, area, unshuffled"
	g := group{
		name:   "10,000 photos to 224 x 224",
		rounds: 3,
		input: func() error {
			if err := b.makePeers(libraries); err != nil {
				return err
			}
			return b.makePictureTree()
		},
		contenders: []contender{
			b.convert("area", "area", "1"),
			b.convert("bilinear", "bilinear", "1"),
			lanczos,
			plain,
			b.library(opencv, "opencv", "job", tree, areaStep),
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
		g.contenders = append(g.contenders,
			contender{name: name, args: scriptBy(b.peer, "job_by_img2dataset.py", tree, "%s"), once: true})
		g.goals = append(g.goals, goal{of: "area", to: name, told: true, cpu: true})
	}
	return g
}
