"""Makes the send buffer of another process's packet socket small.

A sender on an interface with a rate is held back when this buffer is full, and goes on when half of
it has left. By default that is some 90 frames, which its own queue then gives away at once.
"""

import ctypes
import errno
import os
import socket
import stat

_LIBC = ctypes.CDLL(None, use_errno=True)
_PIDFD_GETFD = 438
FRAMES = 7
# What the kernel counts for a frame of 1,514 bytes; it doubles what it is asked for.
_FRAME_BYTES = 2304


def shorten(pid, name):
    """Shortens the send buffers of a process's packet sockets on an interface; how many."""
    done = 0
    pidfd = os.pidfd_open(pid)
    try:
        for number in os.listdir("/proc/%d/fd" % pid):
            copy = _LIBC.syscall(_PIDFD_GETFD, pidfd, int(number), 0)
            if copy < 0:
                error = ctypes.get_errno()
                if error == errno.EBADF:
                    # Closed meanwhile.
                    continue
                raise OSError(error, os.strerror(error))
            if not stat.S_ISSOCK(os.fstat(copy).st_mode):
                os.close(copy)
                continue
            with socket.socket(fileno=copy) as each:
                if each.family == socket.AF_PACKET and each.getsockname()[0] == name:
                    size = FRAMES * _FRAME_BYTES // 2
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)
                    done += 1
    finally:
        os.close(pidfd)
    return done
