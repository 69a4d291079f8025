"""Runs programs that it is sent, each in a process of its own, with the folder of its first argument in their path.

It has loaded what they import: most of the time of a short program is that of starting Python. What they write is sent
back, and behind a zero byte their exit status.
"""

import http.client
import json
import os
import socketserver
import sys
import time
import traceback
import urllib.request
import uuid


class Program(socketserver.StreamRequestHandler):
    def handle(self):
        given = json.load(self.rfile)
        os.environ.update(given["variables"])
        for stream in (1, 2):
            os.dup2(self.connection.fileno(), stream)
        code = 0
        try:
            exec(given["text"], {"__name__": "__main__"})
        except SystemExit as end:
            print(end.code, file=sys.stderr)
            code = 1
        except Exception:
            traceback.print_exc()
            code = 1
        print(f"\0{code}", end="", flush=True)


class Programs(socketserver.ForkingMixIn, socketserver.TCPServer):
    request_queue_size = 100


sys.path.insert(0, sys.argv[1])
with Programs(("127.0.0.1", 0), Program) as programs:
    print(programs.server_address[1], flush=True)
    programs.serve_forever()
