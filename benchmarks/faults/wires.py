"""Wires: the network of a worker as connections through this process, which can be cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Wire:
    """A wire that forwards TCP connections to a port of this machine, or delays them when cut."""

    def __init__(self, port: int) -> None:
        self.to = port
        self.whole = threading.Event()
        self.whole.set()
        self.ends: set[socket.socket] = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Stop forwarding without closing connections, as when a cable is pulled out."""
        self.whole.clear()

    def mend(self) -> None:
        """Forward again, the delayed data first."""
        self.whole.set()

    def drop(self) -> None:
        """Break the connections, as a system does after a timeout."""
        for end in list(self.ends):
            self._shut(end)

    def close(self) -> None:
        """Break the connections, and accept no more."""
        self._shut(self.listener)
        self.drop()
        self.mend()  # wakes the threads that wait

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self.ends.add(near)
        self.whole.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self.to), 10)
        except OSError:
            self._shut(near)
            return
        far.settimeout(None)
        self.ends.add(far)
        threading.Thread(target=self._forward, args=(far, near), daemon=True).start()
        self._forward(near, far)

    def _forward(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := here.recv(1 << 16):
                self.whole.wait()
                there.sendall(data)
        self.whole.wait()
        self._shut(here)
        self._shut(there)

    def _shut(self, end: socket.socket) -> None:
        self.ends.discard(end)
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


class Network:
    """The two wires of a worker: to the scheduler, and from all others to the worker."""

    def __init__(self, scheduler: str) -> None:
        """`scheduler` is the address of the scheduler."""
        self.out = Wire(port_of(scheduler))
        self.listens = free_port()
        self.into = Wire(self.listens)

    @property
    def address(self) -> str:
        """Return the address of the worker for others."""
        return f"tcp://127.0.0.1:{self.into.port}"

    @property
    def options(self) -> tuple[str, ...]:
        """Return the arguments of ``dask worker`` for these wires."""
        return (
            f"tcp://127.0.0.1:{self.out.port}", "--listen-address",
            f"tcp://127.0.0.1:{self.listens}", "--contact-address", self.address,
        )  # fmt: skip

    def cut(self) -> None:
        """Cut both."""
        self.out.cut()
        self.into.cut()

    def mend(self, *, drop: bool = False) -> None:
        """Restore both; with `drop`, break the earlier connections."""
        for wire in (self.out, self.into):
            if drop:
                wire.drop()
            wire.mend()

    def close(self) -> None:
        """Close both."""
        self.out.close()
        self.into.close()


def port_of(address: str) -> int:
    """Return the port of an address."""
    return int(address.rpartition(":")[2])


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
    return port
