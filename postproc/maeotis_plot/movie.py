# SPDX-License-Identifier: Apache-2.0
"""Pictures one after the other as a film: MP4 where there is an ffmpeg, else GIF."""

import shutil
import subprocess

import numpy as np
from PIL import Image


def write(path, figures, rate, dpi):
    """`figures` is a generator, and each is closed when the next is asked for; returns the path with its ending."""
    return (_mp4 if shutil.which("ffmpeg") else _gif)(path, _frames(figures, dpi), rate)


def _frames(figures, dpi):
    for figure in figures:
        figure.set_dpi(dpi)
        figure.canvas.draw()
        yield np.asarray(figure.canvas.buffer_rgba())[:, :, :3]


def _gif(path, frames, rate):
    path = path.with_suffix(".gif")
    images = [Image.fromarray(frame).quantize(256) for frame in frames]
    images[0].save(path, save_all=True, append_images=images[1:], duration=max(20, round(1000 / rate)), loop=0)
    return path


def _mp4(path, frames, rate):
    path = path.with_suffix(".mp4")
    encoder = None
    for frame in frames:
        even = np.ascontiguousarray(frame[: frame.shape[0] // 2 * 2, : frame.shape[1] // 2 * 2])  # as the encoder wants
        if encoder is None:
            words = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{even.shape[1]}x{even.shape[0]}",
                     "-r", str(rate), "-i", "-", "-pix_fmt", "yuv420p", str(path)]
            encoder = subprocess.Popen(words, stdin=subprocess.PIPE)
        encoder.stdin.write(even.tobytes())
    encoder.stdin.close()
    if encoder.wait() != 0:
        raise OSError(0, "ffmpeg could not write the film", str(path))
    return path
