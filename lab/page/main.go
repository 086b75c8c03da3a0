// Page opens reports in a headless Chromium, as people would, and says what is wrong
// with them: an error of a script or of the Content-Security-Policy, a request for
// anything but the page, a page that scrolls sideways, a name of the data that was
// run, a control without a name. It prints how long each took to load.
//
//	go -C lab run ./page                     # made-up pages; screenshots are in out/page
//	go -C lab run ./page FILE.html…          # these
//
// It needs chromium or chromium-headless-shell, which Debian has, in the PATH or
// named by -chromium.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"tfr-build/internal/reporttest"
	"tfr-build/report"
)

// A screen is what a page is looked at on.
type screen struct {
	name   string
	width  int64
	height int64
	dark   bool
}

var screens = []screen{{"wide", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 390, 844, false}}

func main() {
	chromium := flag.String("chromium", "", "the browser; none: chromium-headless-shell or chromium")
	out := flag.String("out", "../out/page", "the directory for screenshots and made-up pages")
	photos := flag.String("photos", "../testdata/photos", "a directory of directories with JPEG files, for made-up "+
		"pages")
	most := flag.Duration("most", 150*time.Millisecond,
		"how long typical.html may take to load, in the best of five times")
	flag.Parse()
	if err := run(*chromium, *out, *photos, *most, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func run(chromium, out, photos string, most time.Duration, files []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if len(files) == 0 {
		var err error
		if files, err = makePages(out, photos); err != nil {
			return err
		}
	}
	browser, cancel, err := start(chromium)
	if err != nil {
		return err
	}
	defer cancel()
	var faults []error
	for _, file := range files {
		for _, s := range screens {
			found, err := openPage(browser, file, s, out)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", file, s.name, err)
			}
			if filepath.Base(file) == "typical.html" && found.load > most {
				found.faults = append(found.faults, fmt.Sprintf("loads in %s, which should be %s", found.load, most))
			}
			fmt.Printf("%-14s %-6s loaded in %4d ms, %7d bytes\n", filepath.Base(file), s.name,
				found.load.Milliseconds(), found.bytes)
			for _, text := range found.faults {
				faults = append(faults, fmt.Errorf("%s on %s: %s", file, s.name, text))
			}
		}
	}
	return errors.Join(faults...)
}

// start starts the browser.
func start(chromium string) (context.Context, func(), error) {
	for _, name := range []string{"chromium-headless-shell", "chromium"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		return nil, nil, errors.New("found neither chromium-headless-shell nor chromium; Debian has packages of " +
			"these names")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	browser, stopBrowser := chromedp.NewContext(allocator)
	if err := chromedp.Run(browser); err != nil {
		stopBrowser()
		stopAllocator()
		return nil, nil, fmt.Errorf("starting %s: %w", chromium, err)
	}
	stop := func() {
		_ = chromedp.Cancel(browser) // which waits for the browser to end
		stopAllocator()
	}
	return browser, stop, nil
}

// makePages writes the made-up pages, and returns their files.
func makePages(out, photos string) ([]string, error) {
	thumbs, pictures, err := makeThumbs(photos)
	if err != nil {
		return nil, err
	}
	pages := []struct {
		name string
		page *report.Page
	}{
		{"typical", reporttest.Typical(200, thumbs, pictures)}, {"full", reporttest.Full(thumbs, pictures)},
		{"hostile", reporttest.Hostile()},
		{"many", reporttest.Many(10_000, 1_000_000)}, {"bare", reporttest.Bare()},
	}
	var files []string
	for _, p := range pages {
		data, err := report.Append(nil, p.page)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(out, p.name+".html")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// records is how many records of typical.html have a thumbnail.
const records = 12

// makeThumbs makes the thumbnails of a page, with one that cannot be shown, and small ones for
// its first records.
func makeThumbs(photos string) (thumbs, small []report.Thumb, err error) {
	names, err := filepath.Glob(filepath.Join(photos, "*", "*.jpg"))
	if err != nil || len(names) == 0 {
		return nil, nil, fmt.Errorf("no JPEG files in the directories of %s: %w", photos, err)
	}
	var s report.Scratch
	for i := range report.DefaultThumbs - 1 {
		data, err := os.ReadFile(names[i%len(names)])
		if err != nil {
			return nil, nil, err
		}
		var boxes [][4]float64
		if i%3 == 0 {
			boxes = [][4]float64{{0.2, 0.25, 0.6, 0.9}, {0.55, 0.1, 0.95, 0.5}}
		}
		thumbs = append(thumbs, reporttest.Thumb(&s, data, boxes, report.ThumbHeight))
		if i < records {
			small = append(small, reporttest.Thumb(&s, data, nil, report.RecordThumbHeight))
		}
	}
	return append(thumbs, reporttest.Thumb(&s, []byte("no image"), nil, report.ThumbHeight)), small, nil
}

// address returns the address of a file for the browser.
func address(file string) (string, error) {
	path, err := filepath.Abs(file)
	return "file://" + strings.ReplaceAll(path, " ", "%20"), err
}
