"""The jar of spark-tfrecord for the Spark that is installed here, compiled from its source.

Maven's repository has no jar of it for these versions. Spark itself brings the Scala compiler.
The source comes from GitHub, at one commit, or from the checkout that TFR_SPARK_TFRECORD names.
"""

import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile

import pyspark

COMMIT = "5bc46eeb9c1bc3809e8f786ea6f4cfbd6be7e30d"
SOURCE = f"https://github.com/linkedin/spark-tfrecord/archive/{COMMIT}.tar.gz"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
LIBRARIES = {
    "org.tensorflow:tensorflow-hadoop:1.15.0": "a70d4cf0f89cfa33260e49154cc52bf8ddba01ec39c5441825282e5e242fd2e1",
    "org.tensorflow:proto:1.15.0": "bc97062b6a89cf80ac6165e0085eb5c44f48d879a8679346ce31acfd16c17cb6",
    "com.google.protobuf:protobuf-java:3.5.1": "b5e2d91812d183c9f053ffeebcbcda034d4de6679521940a19064714966c2cd4",
}


def get(url, help=""):
    try:
        with urllib.request.urlopen(url, timeout=120) as answer:
            return answer.read()
    except OSError as e:
        raise SystemExit(f"{url}: {e}{help}") from None


def libraries(folder):
    """The jars that the source is compiled against, and runs with, as Maven gets them."""
    paths = []
    for artifact, digest in LIBRARIES.items():
        _, name, version = artifact.split(":")
        path = folder / f"{name}-{version}.jar"
        if not path.exists():
            # Even a quiet Maven writes escape sequences, which do not belong to the result on standard output.
            command = ["mvn", "-q", "-B", COPY, f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"]
            subprocess.run(command, check=True, stdout=sys.stderr)
        if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise ValueError(f"{path} has another digest than {digest}")
        paths.append(path)
    return paths


def source(folder):
    """The folder of the source."""
    checkout = os.environ.get("TFR_SPARK_TFRECORD")
    if checkout:
        return pathlib.Path(checkout)
    if not (folder / f"spark-tfrecord-{COMMIT}").exists():
        help = f"\nhint: TFR_SPARK_TFRECORD=DIR names a checkout of spark-tfrecord, at {COMMIT}"
        with tarfile.open(fileobj=io.BytesIO(get(SOURCE, help))) as archive:
            archive.extractall(folder, filter="data")
    return folder / f"spark-tfrecord-{COMMIT}"


def jars():
    """The paths of the jars that Spark needs, the first of which is made here."""
    if not shutil.which("java"):
        raise SystemExit("java: not found\nhint: apt-get install openjdk-17-jre-headless")
    folder = pathlib.Path(os.environ["TFR_CONSUMERS"], "spark-tfrecord")
    folder.mkdir(exist_ok=True)
    needed = libraries(folder)
    made = folder / f"spark-tfrecord-{pyspark.__version__}.jar"
    if not made.exists():
        main = source(folder) / "src/main"
        fresh = folder / f"{made.stem}-new.jar"
        spark = pathlib.Path(pyspark.__file__).parent / "jars/*"
        command = ["java", "-cp", str(spark), "scala.tools.nsc.Main", "-nowarn", "-d", str(fresh)]
        command += ["-classpath", ":".join(map(str, [*spark.parent.glob("*.jar"), *needed]))]
        subprocess.run(command + [str(p) for p in main.glob("scala/**/*.scala")], check=True)
        with zipfile.ZipFile(fresh, "a") as jar:
            for path in main.glob("resources/META-INF/services/*"):
                jar.write(path, path.relative_to(main / "resources"))
        fresh.rename(made)
    return [made, *needed]
