"""Runs img2dataset over the files of a tree: the shorter side 224 pixels, of that the
middle, into tar files. It has no mode for a crop that is smaller than the side.

usage: job_by_img2dataset.py DIR OUT
"""
import glob
import os
import pathlib
import sys

os.environ["NO_ALBUMENTATIONS_UPDATE"] = "1"
import img2dataset

if __name__ == "__main__":
    os.makedirs(sys.argv[2])
    urls = os.path.join(sys.argv[2], "urls.txt")
    with open(urls, "w") as file:
        file.writelines(pathlib.Path(path).absolute().as_uri() + "\n" for path in glob.glob(sys.argv[1] + "/*/*"))
    img2dataset.download(
        urls, output_folder=os.path.join(sys.argv[2], "shards"), output_format="webdataset", processes_count=1,
        thread_count=1, image_size=224, resize_mode="center_crop", encode_quality=95, enable_wandb=False)
