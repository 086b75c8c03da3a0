"""Decodes photos with OpenCV, makes the shorter side 256 pixels, takes the middle of
224 x 224 and encodes it; nothing is written.

usage: job_by_opencv.py DIR
"""
import glob
import sys

import cv2

cv2.setNumThreads(1)
for path in glob.glob(sys.argv[1] + "/*/*"):
    image = cv2.imread(path, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    height, width = image.shape[:2]
    short = min(height, width)
    image = cv2.resize(image, (round(width * 256 / short), round(height * 256 / short)), interpolation=cv2.INTER_AREA)
    y, x = (image.shape[0] - 224) // 2, (image.shape[1] - 224) // 2
    ok, _ = cv2.imencode(".jpg", image[y : y + 224, x : x + 224], [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert ok
