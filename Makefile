# Commands besides `go build` and `go test`.

.PHONY: help build wheel release container docs figures beam check exhaustive conformance tfx oracles in-toto cosign bench benchcompare profile tables fuzz torture flink slurm kubernetes recipes mutants demo-crash golden schema clean prose

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.* ## /\1	/p' Makefile

build: ## the program, in bin/
	CGO_ENABLED=0 go build -trimpath -pgo cmd/tfr-build/tfr-build.pgo -o bin/ ./cmd/tfr-build

wheel: ## wheels for Linux and macOS, amd64 and arm64, in dist/; PLATFORM=linux/amd64 makes one: docs/install.md
	scripts/release -only wheels $(PLATFORM)

release: ## the program for Linux and macOS, amd64 and arm64, and packages of it, in bin/release: docs/install.md
	scripts/release

container: build ## an image of the program, in bin/tfr-build.tar, tried; on Linux with buildah
	scripts/container bin/tfr-build

docs: ## the documentation site, in site/; needs Python and mkdocs-material, which it installs in .venv-docs: 60 MB
	scripts/docs

figures: build ## the picture of coordinates that follow a photo, in docs/images, from a build; needs TensorFlow, in .venv
	$$(scripts/venv) lab/figures.py bin/tfr-build docs/images/coordinates.jpg

prose: ## check the style of pages, comments, messages, and help with vale
	scripts/prose

beam: ## the program that runs tasks on Apache Beam, in bin/: docs/how-to/beam.md
	CGO_ENABLED=0 go -C beam build -trimpath -ldflags '-s -w' -o ../bin/tfr-beam .

check: ## style, linters, dead code, and a sample of all tests: at most 5 minutes; needs Go and a C compiler
	scripts/check

exhaustive: ## every case of all tests, races, other processors, packages, the site, mutants, kills: half an hour; skips programs that are not installed
	scripts/exhaustive

conformance: ## the tests of TensorFlow and TFDS, in .venv
	TFR_PYTHON=$$(scripts/venv) TFR_REQUIRE_TF=1 go test -count=1 ./dataset ./internal/conformance

tfx: ## what a dataset tells TFX, beside TFX itself, in .venv-tfx: 2.5 GB
	lab/tfx

oracles: build beam ## ask the programs that open datasets, and Flink, and record their answers in testdata/oracles, and albumentations and pycocotools: those out of date, or all with ORACLES=-all; 13 GB, needs Java, Maven, Cargo, npm, and a checkout of spark-tfrecord in TFR_SPARK_TFRECORD
	go -C lab run ./consumers $(ORACLES)
	lab/coordinates
	[ "$(ORACLES)" != -all ] && go -C lab test -count=1 -run '^TestAnswer$$' ./flink || go -C lab run ./flink -answer

in-toto: ## the statement of provenance beside in-toto-attestation, in .venv-in-toto, and record the answer
	lab/in-toto

cosign: ## sign the statement of provenance as docs/how-to/sign.md, and record the answers; builds cosign in bin/, for many minutes
	lab/cosign

bench: build ## the program beside others, BENCH="-write ../docs/benchmarks.md" for the page; then the packages; 7 GB
	go -C lab run ./bench -python "$$(scripts/venv)" $(BENCH)
	[ -n "$(findstring -write,$(BENCH))" ] || go test -run '^$$' -bench . -benchmem ./schema ./internal/order ./tfrecord ./pixels/jpeg/... ./sources/... ./sink

benchcompare: ## the packages of the hot path beside those of another checkout, BASE=DIR
	go -C lab run ./benchcompare "$(abspath $(BASE))" ..

profile: ## where builds spend their time, for the compiler: cmd/tfr-build/tfr-build.pgo anew, of the input that bench made
	go -C lab run ./profile ../cmd/tfr-build/tfr-build.pgo

tables: ## check that init loses nothing of 380 tables of Python packages, which it downloads: 60 MB; and record the answers
	lab/tables

fuzz: ## each fuzz target for 30 seconds
	scripts/fuzz

torture: build ## the program killed, cut off, filled up and lied to, for hours; as root for all of it
	go -C lab run ./torture

slurm: ## task arrays on a real Slurm, killed and requeued; as root on Debian, whose packages it installs
	go -C lab run ./slurm

kubernetes: ## an indexed Job on Kubernetes' API server and Job controller, with pods killed and evicted; as root; compiles for minutes
	go -C lab/kubernetes build -trimpath -o ../../bin/kubernetes .
	cd lab && ../bin/kubernetes

recipes: ## the DAG of docs/how-to/engines.md, run by Airflow, in .venv-airflow: 300 MB
	lab/recipes

mutants: ## the protections taken away one by one: the tests have to notice
	go -C lab run ./mutants

flink: build beam ## tasks on a real Flink, parts of which are killed; installs it, needs Java, Maven, and Python; as root or with user namespaces
	go -C lab run ./flink

demo-crash: ## a build that is killed ten times, beside one that is not
	lab/demo-crash

golden: ## write what tests compare with; look at the differences
	go test ./schema ./expr ./dataset ./dataset/tfx ./dataset/croissant ./sink ./pipeline/config ./pipeline/infer ./report ./pixels/header ./sources/jsonl ./cmd/tfr-build ./internal/badinput ./internal/conformance ./internal/lossless -update

schema: ## configs/config.schema.json, from the Go types
	go run ./cmd/tfr-build schema > config.schema.json.new && mv config.schema.json.new configs/config.schema.json

clean: ## take away what was made here
	rm -rf bin dist data example out site .bench
